import type { EditEffects } from '../../kernel/edit-effects.ts'
import { inert } from '../../kernel/inert.ts'

const SHOWN = 5

/** What a change breaks, in words for people; nothing where there is nothing to say. */
export function effectsLines({ introduced, cured, tests, complete, left, unjudged, why }: EditEffects): string[] {
  const parts = [
    counted(introduced.total, 'new error'),
    cured.total > 0 ? `${cured.total} gone` : '',
    tests.total > 0 ? `${counted(tests.total, 'file')} of tests to run` : '',
    complete || left === 0
      ? ''
      : `${counted(left, 'file')} still to be judged${why === undefined ? '' : ` (${inert(why)})`}`,
    unjudged.length > 0 ? `nobody judges ${unjudged.map(name => inert(name)).join(', ')}` : '',
  ]
  const faults = introduced.first.slice(0, SHOWN).map(({ path, line, column, code, message }) => {
    const [words = ''] = message.split('\n')
    return `    ${inert(path)}:${line}:${column} ${inert(code)} ${inert(words)}`
  })
  const more = introduced.total > faults.length ? [`    and ${introduced.total - faults.length} more`] : []
  return [`  Effects: ${parts.filter(Boolean).join(', ')}`, ...faults, ...more]
}

const counted = (count: number, what: string): string =>
  `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`
