import { parseOnce } from '../../kernel/duplicate-key.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { asking, type ToolAnswer } from './ask-tool.ts'
import { tableLines } from '../render/table.ts'
import { moreLine } from './command-line.ts'
import { numberOption } from './number-option.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { sayPaged } from './pager.ts'
import { painter, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

interface Moved {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

interface GraphAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly truncated: boolean
  readonly unread?: readonly string[]
  readonly diff?: Readonly<Record<'functions' | 'calls' | 'exports', Moved>>
}

interface Waiting {
  readonly waitMs?: number
}

const WIDEST = 60
const MOST = 5000
const MORE_TIME = 'Give it more time with --wait SECONDS, or ask again: what was read is kept'

/** `toolwright graph`: shows a query of the code graph as a table, or the difference of two commits. */
export async function graph(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('graph', args, OWN_OPTIONS.graph)
  const [first, from, to, ...more] = positionals
  if (first === 'diff' && from !== undefined && more.length === 0) {
    const other = (['commit', 'limit', 'params'] as const).find(name => values[name] !== undefined)
    if (other) throw new UsageError(`--${other} is for a query, not for diff`, 'graph')
    const diff = { from, ...(to !== undefined && { to }) }
    return asking(terminal, values, ({ ask }) =>
      compare(terminal, ask, { diff, ...waitOf(values.wait) }, values.json === true),
    )
  }
  if (first === undefined || from !== undefined)
    throw new UsageError(
      "Give one query, e.g. graph 'MATCH (f:Function) RETURN f.path, f.name', or diff A [B]",
      'graph',
    )
  const input = {
    query: first,
    ...(values.commit !== undefined && { commit: values.commit }),
    ...(values.params !== undefined && { params: parsedParams(values.params) }),
    ...(values.limit !== undefined && {
      limit: numberOption(values.limit, '--limit', 'graph', { least: 1, most: MOST }),
    }),
    ...waitOf(values.wait),
  }
  const rest = (shown: number): string =>
    shown < MOST
      ? moreLine('graph', positionals, { ...values, limit: Math.min(MOST, shown * 10) })
      : 'Ask for less at a time'
  return asking(terminal, values, async ({ ask }) => {
    const answer = await ask<GraphAnswer>('graph', input, hintsFor(input))
    if (typeof answer === 'number') return answer
    if (!values.json)
      sayPaged(terminal, tableLines(answer.columns, answer.rows, { paint: painter(terminal) }).join('\n'))
    if (answer.truncated && !values.json)
      warn(terminal, `Only the first ${answer.rows.length} rows are shown. ${rest(answer.rows.length)}`)
    if (!values.json) warnUnread(terminal, answer)
    return answer.rows.length > 0 ? EXIT.ok : EXIT.failed
  })
}

const waitOf = (wait: string | undefined): Waiting =>
  wait === undefined ? {} : { waitMs: numberOption(wait, '--wait', 'graph', { least: 0, most: 600 }) * 1000 }

/** Says how to wait longer, where the wait was the caller's. */
const hintsFor = ({ waitMs }: Waiting): Parameters<ToolAnswer['ask']>[2] =>
  waitMs === undefined ? {} : { hints: { timeout: MORE_TIME } }

async function compare(
  terminal: Terminal,
  ask: ToolAnswer['ask'],
  input: Waiting & { readonly diff: object },
  isJson: boolean,
): Promise<number> {
  const answer = await ask<GraphAnswer>('graph', input, hintsFor(input))
  if (typeof answer === 'number') return answer
  const differences = Object.entries(answer.diff ?? {})
  const code = differences.some(([, { added, removed }]) => added.length + removed.length > 0) ? EXIT.ok : EXIT.failed
  if (isJson) return code
  const paint = painter(terminal)
  const lines = differences.flatMap(([what, { added, removed }]) => [
    paint('bold', `${what}: ${added.length} came, ${removed.length} went`),
    ...added.map(each => paint('green', `+ ${sanitize(each)}`)),
    ...removed.map(each => paint('red', `- ${sanitize(each)}`)),
  ])
  sayPaged(terminal, lines.join('\n'))
  warnUnread(terminal, answer)
  return code
}

function warnUnread(terminal: Terminal, { unread = [] }: GraphAnswer): void {
  if (unread.length > 0) warn(terminal, `Could not be parsed and is left out: ${sanitize(unread.join(', '))}`)
}

/** Parses a query's parameters from JSON. */
function parsedParams(text: string): object {
  const { value: params, doubled, problem } = parseOnce(text)
  if (doubled !== undefined) throw new UsageError(`--params ${problem}`, 'graph')
  if (typeof params === 'object' && params !== null && !Array.isArray(params)) return params
  throw new UsageError(
    `--params wants a JSON object such as '{"name": "main"}', not ${sanitize(text, { max: WIDEST })}`,
    'graph',
  )
}
