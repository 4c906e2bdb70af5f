import { show } from '../../workspace/path.ts'
import { isGitPath } from './git-paths.ts'
import type { Made } from './made.ts'

const SHOWN = 5

/** Tells of changes that never land, because the rule that allows the command lets it change nothing. */
export function droppedWarning(made: readonly Made[]): readonly string[] {
  if (made.length === 0) return []
  const ordinary = made.filter(({ path }) => !isGitPath(path))
  const notable = ordinary.filter(({ type }) => type !== 'directory')
  const files = (notable.length > 0 ? notable : ordinary).map(({ path }) => show(path))
  const names = [...files, ...(made.some(({ path }) => isGitPath(path)) ? ['the repository'] : [])]
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return [`Dropped, for the rule of the command says "writes": []: ${names.slice(0, SHOWN).join(', ')}${more}`]
}
