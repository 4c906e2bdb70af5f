import { spawnSync } from 'node:child_process'
import { errnoOf } from '../../workspace/disk-error.ts'
import { nameFromBytes } from '../../workspace/name.ts'
import { findRepository } from './find-repository.ts'

/** Splits an output of NUL-terminated names. */
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

/** Disables every setting through which a repository can make git run or ask something. */
const HARDENED = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'core.alternateRefsCommand=false',
  'diff.external=',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'log.showSignature=false',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
]

const ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
}

interface GitOptions {
  readonly timeoutMs?: number
  readonly maxBytes?: number
  /** Also reads the user's configuration, and works without a repository. For `config` only. */
  readonly userConfig?: boolean
}

const NOTHING = { status: null, stdout: Buffer.alloc(0) }

/**
 * Runs the host's git on a repository that may be hostile, with subcommands that start no other program. The caller
 * names the repository; git never searches for it. The status is null without git.
 */
export function hardenedGit(
  root: string,
  args: readonly string[],
  input: Buffer | undefined,
  env: Readonly<Record<string, string | undefined>>,
  { timeoutMs = 60_000, maxBytes = 1 << 30, userConfig = false }: GitOptions = {},
): { readonly status: number | null; readonly stdout: Buffer } {
  const repository = findRepository(root)
  if (repository === undefined && !userConfig) return NOTHING
  const settings = [...HARDENED, ...(repository ? [`safe.directory=${repository.workTree}`] : [])]
  const { status, stdout, error } = spawnSync('git', [...settings.flatMap(one => ['-c', one]), ...args], {
    cwd: root,
    ...(input && { input }),
    maxBuffer: maxBytes,
    timeout: timeoutMs,
    env: {
      ...Object.fromEntries(
        ['PATH', 'HOME', 'XDG_CONFIG_HOME'].flatMap(name => (env[name] ? [[name, env[name]]] : [])),
      ),
      ...ENVIRONMENT,
      ...(!userConfig && { GIT_CONFIG_GLOBAL: '/dev/null' }),
      GIT_DIR: repository?.gitDir ?? '/dev/null',
      ...(repository && { GIT_WORK_TREE: repository.workTree }),
    },
  })
  // Git that fails early leaves the rest of its input unread.
  const hasEnded = error === undefined || (errnoOf(error) === 'EPIPE' && status !== 0)
  return { status: hasEnded ? status : null, stdout: stdout ?? NOTHING.stdout }
}
