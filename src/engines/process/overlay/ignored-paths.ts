import { spawnSync } from 'node:child_process'
import { nameFromBytes, nameToBytes } from '../../workspace/name.ts'

/** A changed path as git is asked about it. */
export interface Asked {
  readonly path: string
  /** Patterns such as `dist/` are about directories alone, and this one may not be on disk yet. */
  readonly directory: boolean
}

/**
 * Which of these paths git ignores in the real tree, never by what the command itself wrote into an ignore file.
 * Without git or outside a repository nothing is ignored.
 */
export function ignoredPaths(
  root: string,
  asked: readonly Asked[],
  env: Readonly<Record<string, string | undefined>>,
): ReadonlySet<string> {
  if (asked.length === 0) return new Set()
  const { status, stdout } = git(root, ['check-ignore', '--stdin', '-z'], bytesOf(asked), env)
  if (status === 0) return new Set(namesIn(stdout).map(name => name.replace(/\/$/, '')))
  if (status === 1 || status === null) return new Set()
  // One path that git will not look at (behind a link, in a submodule) fails them all.
  if (asked.length === 1 || !isRepository(root, env)) return new Set()
  const half = Math.ceil(asked.length / 2)
  return new Set([...ignoredPaths(root, asked.slice(0, half), env), ...ignoredPaths(root, asked.slice(half), env)])
}

/** The user's own name and address, as commits made in this workspace carry them. */
export function gitIdentity(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly (readonly [string, string])[] {
  const { status, stdout } = git(root, ['config', '--null', '--get-regexp', '^user\\.(name|email)$'], undefined, env)
  if (status !== 0) return []
  const found = new Map(
    namesIn(stdout).map(entry => [entry.split('\n', 1)[0] ?? '', entry.split('\n').slice(1).join('\n')]),
  )
  return [...found]
}

const isRepository = (root: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  git(root, ['rev-parse', '--git-dir'], undefined, env).status === 0

const bytesOf = (asked: readonly Asked[]): Buffer =>
  Buffer.concat(
    asked.flatMap(({ path, directory }) => [
      nameToBytes(path) ?? Buffer.from(path),
      Buffer.from(directory ? '/\0' : '\0'),
    ]),
  )

const namesIn = (output: Buffer): string[] => {
  const names: string[] = []
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at)
    if (end < 0) break
    names.push(nameFromBytes(output.subarray(at, end)))
    at = end + 1
  }
  return names
}

const HARDENED = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'safe.directory=*']

/** Git of the host on a repository that may be hostile: subcommands that run nothing, and nothing to run. */
function git(
  root: string,
  args: readonly string[],
  input: Buffer | undefined,
  env: Readonly<Record<string, string | undefined>>,
): { readonly status: number | null; readonly stdout: Buffer } {
  const kept = Object.fromEntries(
    ['PATH', 'HOME', 'XDG_CONFIG_HOME'].flatMap(name => (env[name] ? [[name, env[name]]] : [])),
  )
  const { status, stdout, error } = spawnSync('git', [...HARDENED.flatMap(one => ['-c', one]), ...args], {
    cwd: root,
    ...(input && { input }),
    maxBuffer: 1 << 30,
    timeout: 60_000,
    env: { ...kept, GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  })
  return { status: error ? null : status, stdout: stdout ?? Buffer.alloc(0) }
}
