import { hardenedGit } from './overlay/hardened-git.ts'

/** The newest commit of git that changed one of these paths after a moment, in one line; undefined where there is none. */
export function committedSince(
  root: string,
  paths: readonly string[],
  at: number,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (paths.length === 0) return undefined
  // Whole seconds, as git keeps them; a commit in the same second may have been made from what was written in it.
  const since = `--since=@${Math.floor(at / 1000)}`
  const args = [
    'log',
    '-1',
    since,
    '--format=%h %s',
    '--no-show-signature',
    '--',
    ...paths.map(path => `:(literal)${path}`),
  ]
  const { status, stdout } = hardenedGit(root, args, undefined, env, { timeoutMs: 10_000, maxBytes: 1 << 20 })
  const line = status === 0 ? stdout.toString().trim() : ''
  return line === '' ? undefined : line
}
