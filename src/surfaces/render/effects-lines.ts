import type { EditEffects, LateEffects } from '../../kernel/edit-effects.ts'
import { inert } from '../../kernel/inert.ts'
import type { Meta } from '../../kernel/outcome.ts'

const SHOWN = 5

/** What a change breaks, in words for people. */
export function effectsLines({ summary, introduced, tests }: EditEffects): string[] {
  const run = tests.total > 0 ? `, ${tests.total} ${tests.total === 1 ? 'file' : 'files'} of tests to run` : ''
  const faults = introduced.first.slice(0, SHOWN).map(({ path, line, column, code, message }) => {
    const [words = ''] = message.split('\n')
    return `    ${inert(path)}:${line}:${column} ${inert(code)} ${inert(words)}`
  })
  const more = introduced.total > faults.length ? [`    and ${introduced.total - faults.length} more`] : []
  return [`  Effects: ${inert(summary)}${run}`, ...faults, ...more]
}

/** The same of changes that were answered before all of it was known. */
export const lateEffectsLines = (late: readonly LateEffects[]): string[] =>
  late.flatMap(({ id, effects }) => [`  Of change ${inert(id)}, known by now:`, ...effectsLines(effects)])

/** Both, for one outcome. */
export const allEffectsLines = ({ effects, lateEffects = [] }: Pick<Meta, 'effects' | 'lateEffects'>): string[] => [
  ...(effects ? effectsLines(effects) : []),
  ...lateEffectsLines(lateEffects),
]
