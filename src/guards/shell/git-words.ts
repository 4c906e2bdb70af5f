/** Options before git's subcommand that have a value of their own. */
const VALUES = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env',
  '--attr-source',
])

/** Options before the subcommand that change nothing of what it does. */
const HARMLESS = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects'])

/** Where the subcommand stands in the words of a git command; their number where there is none. */
export function subcommandAt(words: readonly string[]): number {
  let at = 1
  while (at < words.length && words[at]?.startsWith('-')) at += VALUES.has(words[at] ?? '') ? 2 : 1
  return Math.min(at, words.length)
}

/** How many harmless options stand directly behind the program. */
export function harmlessOptions(words: readonly (string | undefined)[]): number {
  let at = 1
  while (HARMLESS.has(words[at] ?? '')) at++
  return at - 1
}
