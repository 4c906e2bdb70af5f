import { sanitize, sanitizeBlock } from '../../../kernel/sanitize.ts'
import type { Fix } from '../../../knowledge/memory/fix.ts'
import type { FixByWords, Found, FoundFix, StoreCheck } from '../../../knowledge/memory/types.ts'
import { statusLine } from '../status-line.ts'
import { painter, type Terminal } from '../terminal.ts'

const LINE = 120
/** Shorter work shows nothing. */
const QUIET_MS = 400

/** One fix in one line: its id, its error, and how far it can be trusted. */
export function fixLine(fix: Fix, terminal: Terminal, facts: readonly string[] = []): string {
  const paint = painter(terminal)
  const [first = ''] = fix.errorDescription.split('\n')
  const factList = [...facts, fix.errorType, fix.language, trust(fix)].filter(Boolean).join(', ')
  return `${paint('bold', sanitize(fix.id))}  ${sanitize(first, { max: LINE })}  ${paint('dim', `(${sanitize(factList)})`)}`
}

const trust = ({ userValidated, confidence }: Fix): string =>
  userValidated ? 'validated' : confidence === 0 ? 'refuted' : `confidence ${confidence}`

/** All of a fix, as a block for people. */
export function fixText(fix: Fix, terminal: Terminal): string {
  const paint = painter(terminal)
  const part = (title: string, text: string | undefined): readonly string[] =>
    text ? [paint('bold', `${title}:`), indent(text)] : []
  const facts = [
    trust(fix),
    ...(fix.errorType ? [`type ${fix.errorType}`] : []),
    ...(fix.language ? [fix.language] : []),
    ...(fix.fixedIn ? [`fixed in ${fix.fixedIn}`] : []),
    ...(fix.commit ? [`commit ${fix.commit}`] : []),
    ...(fix.transaction ? [`transaction ${fix.transaction}`] : []),
    `recorded ${fix.createdAt}`,
  ]
  return [
    paint('bold', sanitize(fix.id)),
    paint('dim', `  ${sanitize(facts.join(', '))}`),
    ...part('Error', fix.errorDescription),
    ...part('Cause', fix.rootCause),
    ...part('Solution', fix.solution),
    ...(fix.attempts ?? []).flatMap(({ tried, failed }) =>
      part('Tried', failed ? `${tried}\nFailed: ${failed}` : tried),
    ),
    ...part('Diff', fix.diff),
  ].join('\n')
}

const indent = (text: string): string =>
  sanitizeBlock(text.trimEnd())
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')

/** Results, the best first: a line, the cause and the solution of each. */
export function foundLines(
  { results, totalFound }: Found<FixByWords | FoundFix>,
  terminal: Terminal,
): readonly string[] {
  const lines = results.flatMap(found => [
    fixLine(found.fix, terminal, 'similarity' in found ? [`similarity ${found.similarity.toFixed(2)}`] : []),
    `  Cause: ${sanitize(found.fix.rootCause, { max: 2 * LINE })}`,
    `  Solution: ${sanitize(found.fix.solution, { max: 2 * LINE })}`,
  ])
  const paint = painter(terminal)
  return [...lines, paint('dim', `${results.length} of ${totalFound}. All of one: toolwright fixes show ID`)]
}

/** The fixes that say the same as a new one. */
export const similarLines = (similarFixes: readonly FoundFix[], terminal: Terminal): readonly string[] =>
  similarFixes.map(({ fix, similarity }) => `  ${fixLine(fix, terminal, [`similarity ${similarity.toFixed(2)}`])}`)

export function checkLines(checks: readonly StoreCheck[], terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  return checks.flatMap(({ name, ok, message, hint }) => [
    `${ok ? paint('green', '✓') : paint('red', '✗')} ${sanitize(name)}: ${sanitize(message)}`,
    ...(hint && !ok ? [`  ${sanitize(hint)}`] : []),
  ])
}

/** Says on a terminal what takes long; the model alone takes a second to load. A function says how far it is. */
export async function duringWork<T>(terminal: Terminal, what: string | (() => string), work: Promise<T>): Promise<T> {
  const status = statusLine(terminal)
  const began = performance.now()
  const tick = (): void =>
    status.show(`${typeof what === 'string' ? what : what()} … ${Math.round((performance.now() - began) / 1000)} s`)
  const timer = setInterval(tick, QUIET_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
    status.clear()
  }
}
