import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { compileMatcher, type Matcher, type Target } from '../policy/matcher.ts'
import { commandParser, loadCommandParser } from '../policy/command-parser.ts'
import type { CompiledPattern } from './pattern.ts'

/** How far a remembered answer reaches. A plain yes is for one call and is not remembered. */
type Scope = 'task' | 'session' | 'workspace' | 'user'

/**
 * A kind of claim that a remembered answer covers. A command covers others that begin with the same words and have no
 * additional option: `git log --oneline` covers `git log --oneline src`, not `git log --output=x`.
 */
export interface Grant extends Target {
  /** Matches the command as a whole, not as a prefix. */
  readonly exact?: true | undefined
  /** Covers what a rule that allows this command covers: its harmless options and operands too. */
  readonly asRule?: true | undefined
}

/** A remembered answer: one tool, and either a pattern over its parameters or the claims it may make. */
export interface Approval {
  readonly id: string
  /** The tool's id, matched exactly. */
  readonly tool: string
  readonly pattern?: string | undefined
  readonly grants?: readonly Grant[] | undefined
  readonly scope: Scope
  readonly task?: string | undefined
  readonly session?: string | undefined
  readonly workspace?: string | undefined
  readonly who: string
  /** Milliseconds since 1970, like the other times. */
  readonly at: number
  readonly expiresAt?: number | undefined
  readonly lastUsedAt?: number | undefined
  readonly enabled: boolean
  /** It expired once, whatever the clock says now. */
  readonly expired?: true | undefined
  /** The tool as it was then; absent in answers stored by older versions, which approve nothing. */
  readonly made?: MadeFor | typeof ANY_VERSION | undefined
  /**
   * The rules that asked when a person said always, in their own words; empty if only the default asked. A rule that
   * asks since then was not answered. Absent in answers that were added by hand or are older; those answer every rule.
   */
  readonly asked?: readonly string[] | undefined
  /** The sha256 of what its commands ran from the workspace; absent in rules written by hand, which count for any. */
  readonly runs?: Readonly<Record<string, string>> | undefined
}

/**
 * For a tool that only its own program knows. The person who adds such a rule learns that it counts for every version.
 */
export const ANY_VERSION = 'any'

/** The tool that an answer was given for. A tool that has changed needs a new answer. */
export interface MadeFor {
  /** The first number of the tool's version. */
  readonly major: number
  readonly effects: readonly string[]
}

/** Returns the tool as an answer remembers it. */
export const madeFor = ({
  version,
  effects,
}: {
  readonly version: string
  readonly effects: readonly string[]
}): MadeFor => ({
  major: Number.parseInt(version, 10) || 0,
  effects: effects.toSorted(),
})

export interface CompiledApproval extends Approval {
  readonly compiled: CompiledPattern | readonly CompiledGrant[]
}

interface CompiledGrant extends Grant {
  readonly matcher: Matcher
}

/** Checks and compiles one remembered answer; throws `invalid_input` naming the problem. */
export async function compileApproval(approval: Approval): Promise<CompiledApproval> {
  const { pattern, grants } = approval
  if (approval.tool === '') throw invalid(approval, 'it names no tool')
  if ((pattern === undefined) === (grants === undefined)) throw invalid(approval, 'it needs either a pattern or grants')
  if (grants?.length === 0) throw invalid(approval, 'it grants nothing')
  if (grants?.some(coversCommands)) await loadCommandParser()
  if (grants !== undefined) return { ...approval, compiled: grants.map(compileGrant) }
  // The expression engine costs milliseconds to load, and most users have no pattern.
  const { compilePattern } = await import('./pattern.ts')
  return { ...approval, compiled: compilePattern(pattern ?? '') }
}

/** Reports whether a grant names its commands. One that does not covers single commands, not a chained line. */
export const namesCommand = ({ exact, matcher: { prefix = [] } }: CompiledGrant): boolean =>
  exact === true || prefix.length > 0

/** Reports whether those of these grants that are meant as rules allow a command line together. */
export function rulesCover(grants: readonly CompiledGrant[], { action, resource }: Claim): boolean {
  const rules = grants.flatMap(({ asRule, command = '', matcher: { prefix = [] } }) =>
    asRule ? [{ id: command, verdict: 'allow' as const, prefix }] : [],
  )
  if (action !== 'exec' || rules.length === 0) return false
  const { judgeCommand, lacksSecondParser } = commandParser()
  return !lacksSecondParser(resource) && judgeCommand(resource, { rules, fallback: 'ask' }).verdict === 'allow'
}

/** Reports whether a grant covers all of a claim. */
export function grantCovers(grant: CompiledGrant, { action, resource }: Claim): boolean {
  const { matcher, command, exact, asRule } = grant
  if (asRule || !matcher.actions.includes(action)) return false
  if (exact) return command === resource
  if (namesCommand(grant)) return coversCommand(matcher.prefix ?? [], resource)
  if (action === 'exec') return commandParser().plainWords(resource) !== undefined && matcher.matches(resource)
  if (action === 'net' || action === 'reveal') return matcher.matches(resource)
  if (resource === '**' || resource.endsWith('/**')) return matcher.covers(resource.slice(0, -3))
  return matcher.matches(resource)
}

function coversCommand(granted: readonly string[], line: string): boolean {
  const words = commandParser().plainWords(line)
  if (!words) return false
  const start = granted.filter(word => !word.startsWith('-'))
  if (!start.every((word, at) => words[at] === word)) return false
  return words.every(word => !word.startsWith('-') || granted.includes(word))
}

const coversCommands = ({ action, command }: Grant): boolean => command !== undefined || ['exec', '*'].includes(action)

/** A grant of exactly one line may hold what no rule's first words can: pipes, redirections, patterns. */
function compileGrant(grant: Grant): CompiledGrant {
  const { command, ...others } = grant
  return { ...grant, matcher: compileMatcher(grant.exact && command !== undefined ? others : grant) }
}

const invalid = (approval: Approval, what: string): ToolError =>
  new ToolError('invalid_input', `Approval '${approval.id}' is refused: ${what}`, {
    hint: 'remove it with toolwright policy remove',
  })
