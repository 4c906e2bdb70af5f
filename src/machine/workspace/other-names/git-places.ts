import { dirname, join, resolve } from 'node:path'
import { readdirSync, readFileSync, statSync, type BigIntStats, type Dirent } from 'node:fs'
import { gitDirectoryAround, gitDirectoryAt, real, type GitDirectory } from '../git-directory.ts'
import { namedPaths } from './named-paths.ts'
import { parseGitConfig } from './parse-git-config.ts'

/** A place that git runs or reads as configuration. */
export interface GitPlace {
  /** Absolute; links are not resolved. */
  readonly path: string
  /** The setting that names it. */
  readonly setting: string
  /** A directory there is not meant. */
  readonly isFile: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const MOST_FILES = 200
const MOST_MODULES = 500

/**
 * Returns a function for the places that git's settings name: the system's, the user's, those of the repository around
 * a directory, of its submodules, and of the repositories named. Every condition of an include counts as true. Reads a
 * file again only if it changed, and never starts git.
 */
export function createGitPlaces(root: string, env: Environment): (nested: readonly string[]) => readonly GitPlace[] {
  let lastAnswer:
    | { readonly look: RememberedLook; readonly key: string; readonly places: readonly GitPlace[] }
    | undefined
  return nested => {
    const workspaceGit = gitDirectoryAround(root)
    const repositories = [
      ...(workspaceGit === undefined || workspaceGit === 'inside' ? [] : [workspaceGit]),
      ...nested.flatMap(path => gitDirectoryAt(path) ?? []),
    ]
    const key = JSON.stringify(repositories)
    if (lastAnswer?.key === key && lastAnswer.look.isCurrent()) return lastAnswer.places
    const look = rememberedLook()
    const places = [
      ...placesOf(look, env, usersFiles(env), [root]),
      ...repositories.flatMap(repository => repositoryPlaces(look, env, repository, root)),
    ]
    lastAnswer = { look, key, places }
    return places
  }
}

const usersFiles = (env: Environment): readonly string[] => {
  const home = env['HOME']
  const config = env['XDG_CONFIG_HOME'] ?? (home === undefined ? undefined : join(home, '.config'))
  const userFiles = [config && join(config, 'git/config'), home && join(home, '.gitconfig')]
  const user = env['GIT_CONFIG_GLOBAL'] ? [env['GIT_CONFIG_GLOBAL']] : userFiles
  const system = env['GIT_CONFIG_NOSYSTEM'] ? undefined : (env['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig')
  return [system, ...user].filter(path => path !== undefined && path !== '').map(path => resolve(path ?? ''))
}

function repositoryPlaces(
  look: RememberedLook,
  env: Environment,
  repository: GitDirectory,
  root: string,
): readonly GitPlace[] {
  const { top, gitDir, common = gitDir } = repository
  const files = [...new Set([common, gitDir])].flatMap(path => [join(path, 'config'), join(path, 'config.worktree')])
  return [
    ...placesOf(look, env, files, [top, root]),
    ...linksIn(look, join(common, 'hooks'), 'a hook'),
    ...linksIn(look, join(common, 'info'), 'attributes'),
    ...modulesIn(look, join(common, 'modules')).flatMap(module => [
      ...placesOf(
        look,
        env,
        [join(module, 'config'), join(module, 'config.worktree')],
        [workTreeOf(look, module) ?? top],
      ),
      ...linksIn(look, join(module, 'hooks'), 'a hook'),
    ]),
  ]
}

/** A submodule's repository names its work tree, relative to itself. */
function workTreeOf(look: RememberedLook, module: string): string | undefined {
  const settings = parseGitConfig(look.text(join(module, 'config')) ?? '')
  const path = settings.findLast(({ key }) => key === 'core.worktree')?.value
  return path === undefined ? undefined : resolve(module, path)
}

/** Submodules may have a slash in their names, and submodules of their own. */
function modulesIn(look: RememberedLook, directory: string): readonly string[] {
  const modules: string[] = []
  const pending = [directory]
  for (let at = pending.pop(); at !== undefined && modules.length < MOST_MODULES; at = pending.pop()) {
    const entries = look.list(at)
    const isModule = entries.some(({ name }) => name === 'HEAD')
    if (isModule) modules.push(at)
    for (const entry of entries)
      if (entry.isDirectory() && (isModule ? entry.name === 'modules' : true)) pending.push(join(at, entry.name))
  }
  return modules
}

/**
 * Returns what these files, and those that they include, name. Each file that they lead to is such a place itself. Git
 * runs most programs at the top of the work tree, and some where the person is.
 */
function placesOf(
  look: RememberedLook,
  env: Environment,
  files: readonly string[],
  places: readonly string[],
): readonly GitPlace[] {
  const gitPlaces: GitPlace[] = []
  const read = new Set<string>()
  const pending = [...files]
  for (let file = pending.shift(); file !== undefined && read.size < MOST_FILES; file = pending.shift()) {
    if (read.has(file)) continue
    read.add(file)
    const text = look.text(file)
    gitPlaces.push({ path: file, setting: 'its configuration', isFile: true })
    for (const setting of text === undefined ? [] : parseGitConfig(text)) {
      const isInclude = /^include(if)?\.path$/.test(setting.key)
      const bases = isInclude ? [dirname(file), dirname(real(file) ?? file)] : places
      const settingPlaces = namedPaths(setting).flatMap(({ text: path, isFile }) =>
        bases.flatMap(base => spellings(path, base, env).map(each => ({ path: each, setting: setting.name, isFile }))),
      )
      gitPlaces.push(...settingPlaces)
      if (isInclude) pending.push(...settingPlaces.map(({ path }) => path))
      if (setting.key === 'core.hookspath')
        for (const { path } of settingPlaces) gitPlaces.push(...linksIn(look, path, setting.name))
    }
  }
  return gitPlaces
}

/** Returns what a path may mean. A script may put the work tree before a slash: `$(git rev-parse --show-toplevel)/x`. */
function spellings(written: string, base: string, env: Environment): readonly string[] {
  const path = written
    .replace(/^:\(optional\)/, '')
    .replace(/^(~|\$HOME)(?=\/)/, env['HOME'] ?? '~')
    .replace(/^\$\w+(?=\/)/, '.')
  return path.startsWith('/') ? [resolve(path), join(base, path)] : [resolve(base, path)]
}

const linksIn = (look: RememberedLook, directory: string, setting: string): readonly GitPlace[] =>
  look
    .list(directory)
    .filter(entry => entry.isSymbolicLink())
    .map(({ name }) => ({ path: join(directory, name), setting, isFile: true }))

/** Looks at files by path, and remembers what it saw of them. */
interface RememberedLook {
  text(path: string): string | undefined
  list(path: string): readonly Dirent[]
  /** Reports whether all of them are still as they were. */
  isCurrent(): boolean
}

const MOST_BYTES = 4_000_000
/** A file that changed just now may change again within the same clock tick. */
const SETTLED_NS = 100_000_000n

/** Begins a look at files outside of what calls may name: the settings of git. What cannot be read has no content. */
function rememberedLook(): RememberedLook {
  const statesByPath = new Map<string, string | undefined>()
  const remember = (path: string): BigIntStats | undefined => {
    const stats = statsOf(path)
    statesByPath.set(path, stateOf(stats))
    return stats
  }
  return {
    text(path) {
      const stats = remember(path)
      return stats?.isFile() && stats.size <= MOST_BYTES ? (attempt(() => readFileSync(path, 'utf8')) ?? '') : undefined
    },
    list: path =>
      remember(path)?.isDirectory() ? (attempt(() => readdirSync(path, { withFileTypes: true })) ?? []) : [],
    isCurrent: () =>
      [...statesByPath].every(([path, state]) => state !== UNSETTLED && state === stateOf(statsOf(path))),
  }
}

const UNSETTLED = 'unsettled'

const statsOf = (path: string): BigIntStats | undefined =>
  attempt(() => statSync(path, { bigint: true, throwIfNoEntry: false }))

function stateOf(stats: BigIntStats | undefined): string | undefined {
  if (stats === undefined) return undefined
  const { ctimeNs, mtimeNs, size, ino } = stats
  if (BigInt(Date.now()) * 1_000_000n - ctimeNs < SETTLED_NS) return UNSETTLED
  return [ino, size, mtimeNs, ctimeNs].join()
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
