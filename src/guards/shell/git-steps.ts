import { familyName } from './family-name.ts'
import { programName } from './program-name.ts'
import { mayBeAlias, subcommandAt } from './programs/git.ts'

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Commands that do the work of another one; a rule about that one covers them, too. */
const PLUMBING: ReadonlyMap<string, string> = new Map([
  ['send-pack', 'push'],
  ['http-push', 'push'],
  ['fetch-pack', 'fetch'],
  ['http-fetch', 'fetch'],
  ['commit-tree', 'commit'],
])

/**
 * Reports whether a git subcommand does the work of the one that a rule names. A transport works in both directions.
 */
export const worksFor = (subcommand: string, operation: string): boolean =>
  PLUMBING.get(subcommand) === operation || (isTransport(subcommand) && /^(push|fetch)$/.test(operation))

const isTransport = (subcommand: string): boolean => /^remote-\w+$/.test(subcommand)

/** Subcommands that start transports, and what these start. */
const CONNECTS = names(
  'archive clone fetch fetch-pack ls-remote pull push remote send-pack submodule submodule--helper',
)

/** Reports whether a start is a step of a git command that connects, and was judged itself. */
export function isConnecting(command: readonly string[], parentOf: () => readonly string[]): boolean {
  const step = subOf(command) ?? ''
  if (!PLUMBING.has(step) && !isTransport(step)) return false
  const parent = parentOf()
  const sub = gitSubcommand(parent)
  if (sub === undefined || !(CONNECTS.has(sub) || isTransport(sub))) return false
  // A setting that names another program to start.
  return !parent.some(word => /\b(send-pack|http-push|fetch-pack|http-fetch|remote-\w+)\s/.test(word))
}

/** Maintenance that git starts at its end; without it nothing is half done. */
const UPKEEP = names('gc maintenance repack prune prune-packed pack-refs multi-pack-index commit-graph rerere worktree')

/** Returns the git command that stays half done if this start is refused, because git itself started it as a step. */
export function halfDone(command: readonly string[], parent: readonly string[]): string | undefined {
  const sub = gitSubcommand(parent)
  if (sub === undefined || mayBeAlias(sub) || UPKEEP.has(subOf(command) ?? '')) return undefined
  return `git ${sub}`
}

/** Returns the subcommand of a running git; a script of git's own counts as git. */
function gitSubcommand(words: readonly string[]): string | undefined {
  const gitCoreIndex = words.slice(0, 3).findIndex(word => /(^|\/)git-core\/git-./.test(word))
  return subOf(words.slice(Math.max(gitCoreIndex, 0)))
}

function subOf([program = '', ...rest]: readonly string[]): string | undefined {
  const words = [...familyName(programName(program)), ...rest]
  return words[0] === 'git' ? words[subcommandAt(words)] : undefined
}
