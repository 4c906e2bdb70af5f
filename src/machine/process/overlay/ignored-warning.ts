import { show } from '../../workspace/path.ts'

const SHOWN = 5

/** Tells of ignored paths, which no diff shows and nothing undoes; nothing where there are none. */
export function ignoredWarning(paths: readonly string[], what: 'changed' | 'would change'): readonly string[] {
  if (paths.length === 0) return []
  const names = paths.slice(0, SHOWN).map(show).join(', ')
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : ''
  return [`${paths.length} ignored ${paths.length === 1 ? 'path' : 'paths'} ${what}, without undo: ${names}${more}`]
}
