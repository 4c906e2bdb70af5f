import type { Claim } from '../../kernel/claim.ts'
import type { CommandTree } from '../../kernel/open-options.ts'
import { compileGlob } from '../glob.ts'
import type { Granted } from './command-changes.ts'
import { decide } from './decide.ts'
import { commandParser } from './command-parser.ts'
import { levelsOf } from './hidden-paths.ts'
import type { Policy } from './policy.ts'

/** What the approval of a call's commands allows them. */
export interface CommandGrant extends Granted {
  readonly tree: CommandTree
  /** Reports whether their change to a file in the repository's own directory may land. */
  readonly keepsRepository: (path: string, isNew?: boolean) => boolean
}

/**
 * Returns what the commands of a call may change: nothing if they only read, what the allowing rules say if a rule lets
 * them run, otherwise anything that is judged afterwards.
 */
export function commandGrant(policy: Policy, claims: readonly Claim[], byPerson: boolean): CommandGrant {
  const isOpen = mayChangeRepository(policy)
  const keepsRepository = (path: string, isNew = false): boolean =>
    isOpen && !isDeniedInRepository(policy, path, isNew ? 'create' : 'write')
  const lines = claims.filter(({ action }) => action === 'exec').map(({ resource }) => resource)
  if (lines.length > 0 && lines.every(line => commandParser().isReading(line)))
    return { byPerson, keepsRepository, tree: 'read-only' }
  const writes = byPerson ? undefined : writesOf(policy, lines)
  if (writes === undefined) return { byPerson, keepsRepository, tree: 'writable' }
  if (writes.every(globs => globs.length === 0)) return { byPerson, keepsRepository, tree: 'dropped' }
  const matchers = writes.map(globs => globs.map(glob => compileGlob(glob)))
  const covers = (path: string): boolean => matchers.every(globs => globs.some(glob => glob.matches(path)))
  return { byPerson, keepsRepository, tree: 'writable', writes: covers }
}

/**
 * Reports whether commands may change the repository's own directory. The verdict on the command decides, except in a
 * session whose permissions to write do not cover it.
 */
function mayChangeRepository({ within, ...policy }: Policy): boolean {
  const open = { ...policy, protection: { ...policy.protection, granted: ['.git'], kept: [] } }
  const { verdict } = decide(open, [{ action: 'write', resource: '.git/HEAD' }])
  return verdict !== 'deny' && (!within || mayChangeRepository(within))
}

/** A rule for every directory is about the work tree: only one that names the repository itself holds in it. */
const isDeniedInRepository = (policy: Policy, path: string, action: 'create' | 'write'): boolean =>
  levelsOf(policy).some(({ rules }) =>
    rules.byAction[action].some(
      ({ verdict, matcher }) => verdict === 'deny' && matcher.names('.git') && matcher.touches(path) !== 'none',
    ),
  )

/**
 * Returns the globs of the allowing rules for each command that may change files. It is unknown which command of a line
 * made a change, so the result is undefined if one rule has no globs.
 */
function writesOf(policy: Policy, lines: readonly string[]): readonly (readonly string[])[] | undefined {
  const rules = policy.rules.byAction.exec
    .filter(({ verdict }) => verdict === 'allow')
    .map(({ id, writes, matcher }) => ({ id, writes, prefix: matcher.prefix ?? [] }))
  if (!rules.some(({ writes }) => writes !== undefined)) return undefined
  const globsByCommand: (readonly string[])[] = []
  for (const line of lines)
    for (const allowing of commandParser().allowingRules(line, rules) ?? [[]]) {
      const ruleGlobs = allowing.flatMap(({ writes }) => (writes === undefined ? [] : [writes]))
      if (ruleGlobs.length === 0) return undefined
      globsByCommand.push(ruleGlobs.flat())
    }
  return globsByCommand
}
