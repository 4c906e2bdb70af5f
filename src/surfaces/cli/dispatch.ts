import { inert } from '../../kernel/inert.ts'
import { ToolError } from '../../kernel/error.ts'
import { painter, say, warn, type Terminal } from './terminal.ts'
import { EXIT, failureCode, UsageError } from './usage.ts'

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>

/** Each command is loaded when it is called. */
const LOAD: Readonly<Record<string, () => Promise<Command>>> = {
  call: async () => (await import('./call.ts')).call,
  tools: async () => (await import('./tools.ts')).tools,
  grep: async () => (await import('./grep.ts')).grep,
  find: async () => (await import('./find.ts')).find,
  graph: async () => (await import('./graph.ts')).graph,
  index: async () => (await import('./index-command.ts')).index,
  callers: async () => (await import('./callers.ts')).callers,
  mcp: async () => (await import('./mcp.ts')).mcp,
  replay: async () => (await import('./replay.ts')).replay,
  log: async () => (await import('./log.ts')).log,
  undo: async () => (await import('./undo.ts')).undo,
  policy: async () => (await import('./policy.ts')).policy,
  budget: async () => (await import('./budget.ts')).budget,
  trust: async () => (await import('./trust.ts')).trust,
  up: async () => (await import('./up.ts')).up,
  gc: async () => (await import('./gc.ts')).gc,
  doctor: async () => (await import('./doctor.ts')).doctor,
  start: async () => (await import('./start.ts')).start,
}

/** Runs one command and gives its exit code. */
export async function dispatch(name: string | undefined, args: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(args[0], terminal)
  const load = Object.hasOwn(LOAD, name) ? LOAD[name] : undefined
  if (!load) return complain(terminal, new UsageError(`There is no command '${inert(name)}'`))
  if (args.includes('--help') || args.includes('-h')) return help(name, terminal)
  try {
    return await (
      await load()
    )(args, terminal)
  } catch (error) {
    return complain(terminal, error)
  }
}

async function help(name: string | undefined, terminal: Terminal): Promise<number> {
  const { COMMANDS, helpFor, overview } = await import('./help.ts')
  if (name !== undefined && !Object.hasOwn(COMMANDS, name))
    return complain(terminal, new UsageError(`There is no command '${inert(name)}'`))
  say(terminal, name === undefined ? overview(terminal.version) : helpFor(name))
  return EXIT.ok
}

function complain(terminal: Terminal, error: unknown): number {
  const paint = painter(terminal, terminal.stderr)
  if (error instanceof UsageError) {
    warn(terminal, `${paint('red', 'toolwright:')} ${inert(error.message)}`)
    warn(terminal, `Try: toolwright help${error.command ? ` ${error.command}` : ''}`)
    return EXIT.usage
  }
  warn(terminal, `${paint('red', 'toolwright:')} ${inert(error instanceof Error ? error.message : String(error))}`)
  if (!(error instanceof ToolError)) return EXIT.failed
  if (error.hint) warn(terminal, `  ${inert(error.hint)}`)
  // Nothing ran yet: what cannot be understood is in the arguments or in a configuration file.
  return error.code === 'invalid_input' ? EXIT.usage : failureCode(error)
}
