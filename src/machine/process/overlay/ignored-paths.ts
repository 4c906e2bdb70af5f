import { nameToBytes } from '../../workspace/name.ts'
import { hardenedGit, namesIn } from './hardened-git.ts'

/** A changed path to ask git about. */
interface ChangedPath {
  readonly path: string
  /** Patterns such as `dist/` match only directories, and this one may not exist on disk yet. */
  readonly directory: boolean
}

/**
 * Returns the paths that git ignores in the real tree; ignore files written by the command have no effect. Without git
 * or a repository, nothing is ignored.
 */
export function ignoredPaths(
  root: string,
  paths: readonly ChangedPath[],
  env: Readonly<Record<string, string | undefined>>,
): ReadonlySet<string> {
  if (paths.length === 0) return new Set()
  const { status, stdout } = hardenedGit(root, ['check-ignore', '--stdin', '-z'], bytesOf(paths), env)
  if (status === 0) return new Set(namesIn(stdout).map(name => name.replace(/\/$/, '')))
  if (status === 1 || status === null) return new Set()
  // A single path that git refuses (behind a link, in a submodule) fails the whole batch.
  if (paths.length === 1 || !isRepository(root, env)) return new Set()
  const half = Math.ceil(paths.length / 2)
  return new Set([...ignoredPaths(root, paths.slice(0, half), env), ...ignoredPaths(root, paths.slice(half), env)])
}

/** Returns the user's name and address for commits in this workspace. */
export function gitIdentity(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly (readonly [string, string])[] {
  const { status, stdout } = hardenedGit(
    root,
    ['config', '--null', '--get-regexp', '^user\\.(name|email)$'],
    undefined,
    env,
    { userConfig: true },
  )
  if (status !== 0) return []
  const variables = new Map(
    namesIn(stdout).map(entry => [entry.split('\n', 1)[0] ?? '', entry.split('\n').slice(1).join('\n')]),
  )
  return [...variables]
}

const isRepository = (root: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  hardenedGit(root, ['rev-parse', '--git-dir'], undefined, env).status === 0

const bytesOf = (asked: readonly ChangedPath[]): Buffer =>
  Buffer.concat(
    asked.flatMap(({ path, directory }) => [
      nameToBytes(path) ?? Buffer.from(path),
      Buffer.from(directory ? '/\0' : '\0'),
    ]),
  )
