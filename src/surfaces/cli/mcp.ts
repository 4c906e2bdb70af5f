import { sanitize } from '../../kernel/sanitize.ts'
import { serveStdio, type ServeOptions } from '../mcp/serve-stdio.ts'
import { isStructured, STRUCTURED } from '../mcp/structured.ts'
import { isToolSet, TOOL_SETS } from '../mcp/tool-set.ts'
import { isAtCurrentDirectory, workspaceOf } from './find-workspace.ts'
import { withRecording } from './record.ts'
import { waitOf } from './wait-for-approval.ts'
import { warn, type Terminal } from './terminal.ts'
import { configurationOf, EXIT, parse, UsageError } from './usage.ts'

const OPTIONS = {
  contract: { type: 'string', multiple: true },
  'read-only': { type: 'boolean' },
  allow: { type: 'string', multiple: true },
  deny: { type: 'string', multiple: true },
  component: { type: 'string' },
  'wait-for-approval': { type: 'string' },
  record: { type: 'string' },
  structured: { type: 'string' },
  tools: { type: 'string' },
} as const

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * `toolwright mcp`: serves the tools to an MCP client that starts this command. Ends with its input, its parent or a
 * signal.
 */
export async function mcp(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('mcp', args, OPTIONS)
  if (positionals.length > 0) throw new UsageError("'mcp' takes no arguments", 'mcp')
  if (terminal.stdin.isTTY)
    warn(terminal, "This speaks MCP with a program. 'toolwright tour' says how to connect a client; Ctrl-D ends it.")
  // Other output of this process must not mix with the messages.
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  return withRecording(values.record, terminal, record => serve(values, terminal, record))
}

async function serve(
  values: ReturnType<typeof parse<typeof OPTIONS>>['values'],
  terminal: Terminal,
  record: Pick<ServeOptions, 'record'>,
): Promise<number> {
  const { structured, tools, contract: contracts = [], 'wait-for-approval': wait } = values
  if (structured !== undefined && !isStructured(structured))
    throw new UsageError(`--structured takes ${STRUCTURED.join(', ')}`, 'mcp')
  if (tools !== undefined && !isToolSet(tools)) throw new UsageError(`--tools takes ${TOOL_SETS.join(', ')}`, 'mcp')
  if (tools !== undefined && contracts.length > 0 && !contracts.includes('toolwright'))
    throw new UsageError('--tools is for the tools of toolwright', 'mcp')
  const isFixed = values.root !== undefined || isAtCurrentDirectory(contracts)
  const serving = await serveStdio({
    ...record,
    ...(isFixed ? { root: workspaceOf(terminal, values) } : { otherwiseIn: () => workspaceOf(terminal, values) }),
    env: terminal.env,
    input: terminal.stdin,
    onError: error => warn(terminal, `toolwright: ${sanitize(error.message, { max: 300 })}`),
    contracts,
    resident: 'start',
    ...configurationOf(values),
    ...(values['read-only'] && { readOnly: true }),
    ...(values.allow && { permissions: values.allow }),
    ...(values.deny && { denials: values.deny }),
    ...(values.component !== undefined && { task: values.component }),
    ...(wait !== undefined && waitOf(wait, 'mcp')),
    ...(structured !== undefined && { structured }),
    ...(tools !== undefined && { tools }),
  })
  const end = (): void => void serving.close()
  const stopLooking = onParentGone(end)
  for (const signal of SIGNALS) process.once(signal, end)
  try {
    await serving.over
    return EXIT.ok
  } finally {
    stopLooking()
    for (const signal of SIGNALS) process.off(signal, end)
    // Nothing that keeps the process alive now is still needed.
    setTimeout(() => process.exit(), LAST_MS).unref()
  }
}

const LAST_MS = 1000

/** Calls back once the parent process is gone. Returns a function that stops watching. */
function onParentGone(gone: () => void, everyMs = 1000): () => void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
