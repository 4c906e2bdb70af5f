import { show } from '../../workspace/path.ts'

const SHOWN = 5

/** Tells what would move in the repository itself, which no diff shows and nothing undoes; nothing where nothing would. */
export function repositoryWarning(paths: readonly string[]): readonly string[] {
  const moving = paths.filter(path => /^\.git\/(index$|packed-refs$|refs\/|[A-Z_]*HEAD$)/.test(path))
  if (paths.length === 0) return []
  const objects = paths.filter(path => path.startsWith('.git/objects/')).length
  const names = [
    ...moving.slice(0, SHOWN).map(show),
    ...(moving.length > SHOWN ? [`${moving.length - SHOWN} more`] : []),
    ...(objects > 0 ? [objects === 1 ? '1 object' : `${objects} objects`] : []),
  ]
  return [`The repository itself would change, without undo: ${names.join(', ') || `${paths.length} of its files`}`]
}
