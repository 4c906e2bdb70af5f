import type { Claim } from '../../kernel/claim.ts'
import { commandParser } from '../policy/command-parser.ts'
import {
  ANY_VERSION,
  grantCovers,
  namesCommand,
  rulesCover,
  type Approval,
  type CompiledApproval,
  type MadeFor,
} from './approval.ts'

/** A call that needs approval, as remembered answers see it. */
export interface AskingCall {
  readonly tool: string
  readonly made: MadeFor
  /** The sha256 of what its commands run from the workspace; absent if no file can be seen. */
  readonly runs?: Readonly<Record<string, string>> | undefined
  /** Its frozen parameters as `canonicalJson`. */
  readonly input: string
  /** Its claims with real paths, and as the tool stated them; a pattern matches the latter. */
  readonly claims: readonly Claim[]
  readonly stated: readonly Claim[]
  readonly session: string
  readonly task?: string | undefined
  readonly workspace: string
  /** Returns all rules that ask now, in their own words. */
  readonly asked?: () => readonly string[]
}

/** Returns the first remembered answer that approves this call now; undefined if a person must be asked. */
export function matchApproval(
  approvals: readonly CompiledApproval[],
  call: AskingCall,
  now: number,
): CompiledApproval | undefined {
  return approvals.find(
    approval =>
      isSameTool(approval.made, call.made) &&
      fitsCall(approval, call, now) &&
      newRule(approval, call) === undefined &&
      changedRun(approval, call) === undefined,
  )
}

/** Returns the name of a file or script that runs now and is not what it was when the answer was given. */
function changedRun(
  { runs: then }: Pick<Approval, 'runs'>,
  { runs: now }: Pick<AskingCall, 'runs'>,
): string | undefined {
  if (then === undefined || now === undefined) return undefined
  return [...Object.keys(now), ...Object.keys(then)].find(name => then[name] !== now[name])
}

/** Returns why a remembered answer that fits this call no longer counts; undefined if there is none. */
export function outdatedApproval(
  approvals: readonly CompiledApproval[],
  call: AskingCall,
  now: number,
): string | undefined {
  const fitting = approvals.filter(approval => fitsCall(approval, call, now))
  const otherContent = fitting.find(
    approval => isSameTool(approval.made, call.made) && !newRule(approval, call) && changedRun(approval, call),
  )
  if (otherContent)
    return `the remembered answer ${otherContent.id} was for another content of '${changedRun(otherContent, call)}'`
  const [outdatedAnswer] = fitting
  if (!outdatedAnswer) return undefined
  if (isSameTool(outdatedAnswer.made, call.made))
    return `the remembered answer ${outdatedAnswer.id} does not count: the policy has changed since, and '${newRule(outdatedAnswer, call)}' asks now`
  return outdatedAnswer.made === undefined
    ? `the remembered answer ${outdatedAnswer.id} no longer counts: an older version of Toolwright stored it without the version and effects of its tool`
    : `the remembered answer ${outdatedAnswer.id} no longer counts: the tool has another major version or other effects than the one it was given for`
}

const MOST_WARNINGS = 3

/** Returns what patterns of this tool that do not match the call warn of, because one may have been meant for it. */
export function warningsOfOthers(
  approvals: readonly CompiledApproval[],
  call: AskingCall,
  now: number,
): readonly string[] {
  const others = approvals.filter(one => isCandidate(one, call, now) && !covers(one, call))
  return others
    .flatMap(({ id, compiled }) =>
      'warnings' in compiled && compiled.warnings.length > 0
        ? [`the pattern of the remembered answer ${id} does not cover this call: ${compiled.warnings.join(', ')}`]
        : [],
    )
    .slice(0, MOST_WARNINGS)
}

const fitsCall = (approval: CompiledApproval, call: AskingCall, now: number): boolean =>
  isCandidate(approval, call, now) && covers(approval, call)

/** Reports whether an approval is about this tool, here and now. */
const isCandidate = (approval: CompiledApproval, call: AskingCall, now: number): boolean =>
  call.tool !== '' && approval.tool === call.tool && isAlive(approval, now) && reaches(approval, call)

/**
 * Reports whether a tool is still the approved one. Minor versions add to a tool; a major version, or other effects,
 * make it another tool. An answer without a note approves none, because its tool is unknown.
 */
function isSameTool(then: CompiledApproval['made'], now: MadeFor): boolean {
  if (then === undefined) return false
  return then === ANY_VERSION || (then.major === now.major && then.effects.join() === now.effects.join())
}

/** Returns a rule that asks now and did not when the answer was given. */
const newRule = ({ asked }: CompiledApproval, call: AskingCall): string | undefined =>
  asked && call.asked?.().find(rule => !asked.includes(rule))

function isAlive({ enabled, expired, expiresAt }: CompiledApproval, now: number): boolean {
  if (!enabled || expired) return false
  return expiresAt === undefined || now <= expiresAt
}

/** Reports whether an approval applies to a call. A scope whose key is missing on either side applies to nothing. */
function reaches(approval: CompiledApproval, call: AskingCall): boolean {
  if (approval.workspace !== undefined && approval.workspace !== call.workspace) return false
  if (approval.session !== undefined && approval.session !== call.session) return false
  if (approval.scope === 'user') return true
  if (approval.scope === 'workspace') return approval.workspace !== undefined
  if (approval.scope === 'task')
    return approval.workspace !== undefined && approval.task !== undefined && approval.task === call.task
  return approval.session !== undefined
}

function covers({ compiled }: CompiledApproval, call: AskingCall): boolean {
  if ('matches' in compiled)
    return isAsStated(call) && compiled.matches(call.input) && (compiled.isLiteral || call.claims.every(isOneCommand))
  const commandGrants = compiled.filter(namesCommand)
  const isGranted = (claim: Claim): boolean => compiled.some(grant => grantCovers(grant, claim))
  const isNamed = (part: Claim): boolean => commandGrants.some(grant => grantCovers(grant, part))
  return (
    call.claims.length > 0 &&
    call.claims.every(claim => isGranted(claim) || partsOf(claim)?.every(isNamed) || rulesCover(compiled, claim))
  )
}

/**
 * A wildcard stands for the arguments of one command. It does not match over `;`, `&&`, `|` or `$(…)` into another one.
 */
const isOneCommand = ({ action, resource }: Claim): boolean =>
  action !== 'exec' || commandParser().plainWords(resource) !== undefined

/** Splits a line of plain commands, which is covered if a grant names each of them. */
function partsOf({ action, resource }: Claim): readonly Claim[] | undefined {
  return action === 'exec'
    ? commandParser()
        .plainParts(resource)
        ?.map(part => ({ action, resource: part }))
    : undefined
}

/**
 * Reports whether the paths in the parameters are the real ones: no link, no `..`, no other spelling leads elsewhere.
 */
function isAsStated({ claims, stated }: AskingCall): boolean {
  const key = ({ action, resource }: Claim): string => `${action} ${resource === '.' ? '' : resource}`
  const real = new Set(claims.map(key))
  return claims.length === stated.length && stated.every(claim => real.has(key(claim)))
}
