import { parentOf, show } from '../../workspace/path.ts'
import { isGitContent, isGitPath, runsCommands } from './git-paths.ts'
import { ignoredPaths } from './ignored-paths.ts'
import type { Made } from './made.ts'
import { bytesOf } from './stage-made.ts'
import { breaksRepository } from './valid-repository.ts'

export interface SortOptions {
  readonly root: string
  readonly mustStage: (path: string) => boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Sorted {
  /** Joins the staging: shown, judged, undone. */
  readonly staged: readonly Made[]
  /** Carried out when the call commits, without undo: what git ignores, and the repository's own content. */
  readonly applied: readonly Made[]
  /** What never lands, in words. */
  readonly warnings: readonly string[]
}

/** Decides for everything that a command made how it lands, if it does. */
export function sortMade(made: readonly Made[], { root, mustStage, env }: SortOptions): Sorted {
  const ordinary = made.filter(({ path }) => !isGitPath(path))
  const ignored = ignoredPaths(root, ordinary.map(asked), env)
  const applied = new Set(ordinary.filter(({ path }) => ignored.has(path) && !mustStage(path)))
  takeWithThem(ordinary, applied)
  const inGit = made.filter(({ path }) => isGitPath(path))
  const broken = inGit.some(isAboutRepository) ? breaksRepository(root, inGit) : undefined
  const { kept, left } = gitChanges(inGit, broken !== undefined)
  return {
    staged: ordinary.filter(one => !applied.has(one)),
    applied: [...applied, ...kept],
    warnings: broken !== undefined ? [noRepository(broken)] : left.length > 0 ? [leftOut(left)] : [],
  }
}

const asked = (one: Made) => ({
  path: one.path,
  directory: one.type === 'directory' || (one.type === 'absent' && one.was === 'directory'),
})

/** A directory that goes with ignored files in it cannot go before they do. */
function takeWithThem(made: readonly Made[], applied: Set<Made>): void {
  const parents = new Set<string>()
  for (const { type, path } of applied)
    if (type === 'absent') for (let at = parentOf(path); at !== '.'; at = parentOf(at)) parents.add(at)
  for (const one of made)
    if (one.type === 'absent' && one.was === 'directory' && parents.has(one.path)) applied.add(one)
}

/** Not one inside the workspace, of which nothing is kept anyway. */
const isAboutRepository = ({ path }: Made): boolean => path === '.git' || path.startsWith('.git/')

function gitChanges(
  made: readonly Made[],
  broken: boolean,
): { readonly kept: readonly Made[]; readonly left: readonly Made[] } {
  const steps = made.some(one => one.type === 'file' && runsCommands(one.path, bytesOf(one).toString('latin1')))
  const isKept = (one: Made): boolean => {
    if (broken || one.type === 'symlink') return false
    if (one.path === '.git') return one.type === 'directory'
    return isGitContent(one.path) && !(steps && /^\.git\/(rebase-merge|sequencer)(\/|$)/.test(one.path))
  }
  return { kept: made.filter(isKept), left: made.filter(one => !isKept(one) && !one.path.endsWith('.lock')) }
}

const noRepository = (why: string): string =>
  `Not kept: anything the command changed under .git, which would be no repository any more (${why})`

const SHOWN = 5

function leftOut(left: readonly Made[]): string {
  const names = left.slice(0, SHOWN).map(({ path }) => show(path))
  const more = left.length > SHOWN ? ` and ${left.length - SHOWN} more` : ''
  return `Not kept of what the command changed: ${names.join(', ')}${more}; what configures a repository or runs in it is left as it was`
}
