import { sanitize } from '../../kernel/sanitize.ts'
import { ToolError } from '../../kernel/error.ts'
import { painter, say, warn, type Terminal } from './terminal.ts'
import { EXIT, failureCode, UsageError } from './usage.ts'

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>

/** Loads each command when it is called. */
const LOAD: Readonly<Record<string, () => Promise<Command>>> = {
  call: async () => (await import('./call.ts')).call,
  tools: async () => (await import('./tools.ts')).tools,
  grep: async () => (await import('./grep.ts')).grep,
  find: async () => (await import('./find.ts')).find,
  graph: async () => (await import('./graph.ts')).graph,
  index: async () => (await import('./index-command.ts')).index,
  callers: async () => (await import('./callers.ts')).callers,
  fixes: async () => (await import('./fixes/fixes.ts')).fixes,
  agent: async () => (await import('./agent/agent.ts')).agent,
  mcp: async () => (await import('./mcp.ts')).mcp,
  serve: async () => (await import('./serve.ts')).serve,
  token: async () => (await import('./token.ts')).token,
  replay: async () => (await import('./replay.ts')).replay,
  approve: async () => (await import('./approve.ts')).approve,
  log: async () => (await import('./log.ts')).log,
  undo: async () => (await import('./undo.ts')).undo,
  policy: async () => (await import('./policy/policy.ts')).policy,
  budget: async () => (await import('./budget.ts')).budget,
  trust: async () => (await import('./trust.ts')).trust,
  up: async () => (await import('./up.ts')).up,
  down: async () => (await import('./up.ts')).down,
  gc: async () => (await import('./gc.ts')).gc,
  doctor: async () => (await import('./doctor.ts')).doctor,
  init: async () => (await import('./init/init.ts')).init,
  tour: async () => (await import('./tour.ts')).tour,
  completion: async () => (await import('./completion/completion.ts')).completion,
}

/** Runs one command and returns its exit code. */
export async function dispatch(name: string | undefined, args: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(args[0], terminal)
  try {
    const command = await commandOf(name)
    if (!command) throw await unknownCommand(name)
    if (optionsIn(args).some(arg => arg === '--help' || arg === '-h')) return await help(name, terminal)
    return await command(args, terminal)
  } catch (error) {
    return complain(terminal, error)
  }
}

/** Arguments after `--` belong to another program. */
const optionsIn = (args: readonly string[]): readonly string[] =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args

async function commandOf(name: string): Promise<Command | undefined> {
  const load = Object.hasOwn(LOAD, name) ? LOAD[name] : undefined
  if (load) return load()
  const { namedCommand } = await import('./tool-command/named-command.ts')
  const toolCommand = await namedCommand(name)
  if (!toolCommand) return undefined
  const { runToolCommand } = await import('./tool-command/run-command.ts')
  return (args, terminal) => runToolCommand({ ...toolCommand, name }, args, terminal)
}

const unknownCommand = async (name: string): Promise<UsageError> =>
  (await import('./tool-command/suggest.ts')).unknownCommand(name, Object.keys(LOAD))

async function help(name: string | undefined, terminal: Terminal): Promise<number> {
  const { helpFor, overview } = await import('./help.ts')
  const text = name === undefined ? await overview(terminal.version) : await helpFor(name)
  if (text === undefined) return complain(terminal, await unknownCommand(name ?? ''))
  if (terminal.stdout.isTTY) (await import('./pager.ts')).sayPaged(terminal, text)
  else say(terminal, text)
  return EXIT.ok
}

async function complain(terminal: Terminal, error: unknown): Promise<number> {
  const paint = painter(terminal, terminal.stderr)
  const mark = paint('red', 'toolwright:')
  if (error instanceof UsageError) {
    const { message, command, misspelled } = error
    const suggestion =
      misspelled && (await import('../../kernel/near-miss.ts')).nearMiss(misspelled.typed, misspelled.known)
    const sentence = suggestion === undefined ? message : `${message}; did you mean ${suggestion}?`
    warn(
      terminal,
      `${mark} ${sanitize(sentence)}${/[.?]$/.test(sentence) ? '' : '.'} Try: toolwright help${command ? ` ${command}` : ''}`,
    )
    return EXIT.usage
  }
  warn(terminal, `${mark} ${sanitize(error instanceof Error ? error.message : String(error))}`)
  if (!(error instanceof ToolError)) return EXIT.failed
  if (error.hint) warn(terminal, `  ${sanitize(error.hint)}`)
  // Nothing ran yet, so the invalid input is in the arguments or in a configuration file.
  return error.code === 'invalid_input' ? EXIT.usage : failureCode(error)
}
