import type { Outcome } from '../../kernel/outcome.ts'

/** Most characters of the lines about a call, besides its answer. */
export const MOST_META = 2_700

/** Share of `Changed:`. */
const MOST_PATHS = 1_200
const MOST_LINE = 500

/** Formats the data on a call besides its answer, the most important first. Counts what does not fit. */
export async function metaLines(meta: Outcome['meta']): Promise<readonly string[]> {
  const { changed, undo, transaction, dryRun, plan, diff, warnings = [], hint, effects, lateEffects } = meta
  const place =
    transaction === undefined ? (undo === undefined ? '' : ` (undo ${undo})`) : ` (in transaction ${transaction})`
  const verb = dryRun ? 'Would change' : transaction === undefined ? 'Changed' : 'Staged'
  const first = [
    ...(changed.length > 0 ? [`${verb}: ${listFittingPaths(changed)}${place}`] : []),
    ...(plan === undefined || !dryRun ? [] : [`Plan: ${plan}`]),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
  ]
  const others = [
    ...(diff === undefined ? [] : diff.trimEnd().split('\n')),
    ...warnings.map(warning => `Warning: ${warning}`),
    ...(effects || lateEffects
      ? // As many as structured content has; what does not fit is counted below.
        (await import('../render/effects-lines.ts'))
          .allEffectsLines(meta, Infinity)
          .map(line => line.replace(/^ {2}/, ''))
      : []),
  ]
  return [...first, ...within(others, MOST_META - first.join('\n').length)]
}

/** Returns as many paths as fit, and the number of the others. */
function listFittingPaths(paths: readonly string[]): string {
  const fittingPaths = shownPaths(paths)
  const omittedCount = paths.length - fittingPaths.length
  return omittedCount === 0 ? fittingPaths.join(', ') : `${fittingPaths.join(', ')} and ${omittedCount} more`
}

/** Returns the first paths, as many as an answer names. */
export function shownPaths(paths: readonly string[]): readonly string[] {
  let remainingCharacters = MOST_PATHS
  const end = paths.findIndex(path => (remainingCharacters -= path.length + 2) < 0)
  return end === -1 ? paths : paths.slice(0, Math.max(1, end))
}

function within(lines: readonly string[], most: number): readonly string[] {
  const short = lines.map(line => (line.length > MOST_LINE ? `${line.slice(0, MOST_LINE)}…` : line))
  let remainingCharacters = most - '… 1000000 more lines'.length
  const end = short.findIndex(line => (remainingCharacters -= line.length + 1) < 0)
  return end === -1 ? short : [...short.slice(0, end), `… ${lines.length - end} more lines`]
}
