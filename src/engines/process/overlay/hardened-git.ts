import { spawnSync } from 'node:child_process'
import { nameFromBytes } from '../../workspace/name.ts'

/** The names in an output with a NUL behind each. */
export const namesIn = (output: Buffer): string[] => {
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
export function hardenedGit(
  root: string,
  args: readonly string[],
  input: Buffer | undefined,
  env: Readonly<Record<string, string | undefined>>,
  limits: { readonly timeoutMs?: number; readonly maxBytes?: number } = {},
): { readonly status: number | null; readonly stdout: Buffer } {
  const kept = Object.fromEntries(
    ['PATH', 'HOME', 'XDG_CONFIG_HOME'].flatMap(name => (env[name] ? [[name, env[name]]] : [])),
  )
  const { status, stdout, error } = spawnSync('git', [...HARDENED.flatMap(one => ['-c', one]), ...args], {
    cwd: root,
    ...(input && { input }),
    maxBuffer: limits.maxBytes ?? 1 << 30,
    timeout: limits.timeoutMs ?? 60_000,
    env: { ...kept, GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  })
  return { status: error ? null : status, stdout: stdout ?? Buffer.alloc(0) }
}
