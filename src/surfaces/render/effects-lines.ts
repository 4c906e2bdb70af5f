import type { CodeFault, EditEffects, LateEffects, Listed } from '../../kernel/edit-effects.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import type { Meta } from '../../kernel/outcome.ts'

const SHOWN = 5

/** Describes what a change breaks, for people. */
export function effectsLines({ summary, introduced, tests }: EditEffects): string[] {
  const run = tests.total > 0 ? `, ${tests.total} ${tests.total === 1 ? 'file' : 'files'} of tests to run` : ''
  const shown = { total: introduced.total, first: introduced.first.slice(0, SHOWN) }
  return [`  Effects: ${sanitize(summary)}${run}`, ...diagnosticLines(shown)]
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
export const lateEffectsLines = (late: readonly LateEffects[]): string[] =>
  late.flatMap(({ id, earlier = [], effects }) => [
    `  Of ${earlier.length > 0 ? 'changes' : 'change'} ${[...earlier, id].map(one => sanitize(one)).join(', ')}, known by now:`,
    ...effectsLines(effects),
  ])

/** Renders both for one outcome. */
export const allEffectsLines = ({ effects, lateEffects = [] }: Pick<Meta, 'effects' | 'lateEffects'>): string[] => [
  ...(effects ? effectsLines(effects) : []),
  ...lateEffectsLines(lateEffects),
]
