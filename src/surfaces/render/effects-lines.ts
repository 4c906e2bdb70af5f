import type { CodeFault, EditEffects, LateEffects, Listed, UnfitCall } from '../../kernel/edit-effects.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import type { Meta } from '../../kernel/outcome.ts'

/** Errors that a person is shown. */
const SHOWN = 5

/** Describes what a change breaks. */
export function effectsLines({ summary, introduced, callers, tests }: EditEffects, most = SHOWN): string[] {
  const run = tests.total > 0 ? `, ${tests.total} ${tests.total === 1 ? 'file' : 'files'} of tests to run` : ''
  const firstDiagnostics = { total: introduced.total, first: introduced.first.slice(0, most) }
  return [`  Effects: ${sanitize(summary)}${run}`, ...diagnosticLines(firstDiagnostics), ...callersLine(callers, most)]
}

/** Names the functions whose calls no longer fit; their errors are among those above. */
function callersLine({ total, first }: Listed<UnfitCall>, most: number): string[] {
  if (total === 0) return []
  const names = [...new Set(first.slice(0, most).map(({ name }) => sanitize(name)))]
  const calls = total === 1 ? 'call no longer fits' : 'calls no longer fit'
  return [`    ${total} ${calls}, in ${names.join(', ')}${total > Math.min(first.length, most) ? ' and others' : ''}`]
}

/** Renders one line for each listed diagnostic, and the number of others. */
export function diagnosticLines({ total, first }: Listed<CodeFault>): string[] {
  const faults = first.map(({ path, line, column, code, message }) => {
    const [words = ''] = message.split('\n')
    return `    ${sanitize(path)}:${line}:${column} ${sanitize(code)} ${sanitize(words)}`
  })
  return total > faults.length ? [...faults, `    and ${total - faults.length} more`] : faults
}

/** Renders effects of changes that were answered before these were known. */
export const lateEffectsLines = (late: readonly LateEffects[], most = SHOWN): string[] =>
  late.flatMap(({ id, earlier = [], effects }) => [
    `  Of ${earlier.length > 0 ? 'changes' : 'change'} ${[...earlier, id].map(one => sanitize(one)).join(', ')}, known by now:`,
    ...effectsLines(effects, most),
  ])

/** Renders both for one outcome. */
export const allEffectsLines = (
  { effects, lateEffects = [] }: Pick<Meta, 'effects' | 'lateEffects'>,
  most = SHOWN,
): string[] => [...(effects ? effectsLines(effects, most) : []), ...lateEffectsLines(lateEffects, most)]
