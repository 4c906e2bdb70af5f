import type { Claim } from '../../kernel/claim.ts'
import { commandParser } from '../policy/command-parser.ts'
import { ANY_VERSION, grantCovers, namesCommand, type CompiledApproval, type MadeFor } from './approval.ts'

/** A call that asks, as remembered answers see it. */
export interface AskingCall {
  readonly tool: string
  readonly made: MadeFor
  /** Its frozen parameters as `canonicalJson`. */
  readonly input: string
  /** Its claims with real paths, and as the tool stated them; a pattern is about the latter. */
  readonly claims: readonly Claim[]
  readonly stated: readonly Claim[]
  readonly session: string
  readonly task?: string | undefined
  readonly workspace: string
}

/** The first remembered answer that approves this call now; undefined means that a person must be asked. */
export function matchApproval(
  approvals: readonly CompiledApproval[],
  call: AskingCall,
  now: number,
): CompiledApproval | undefined {
  return approvals.find(approval => isSameTool(approval.made, call.made) && fits(approval, call, now))
}

/** Why a remembered answer that fits this call no longer counts; undefined if there is none. */
export function outdatedApproval(
  approvals: readonly CompiledApproval[],
  call: AskingCall,
  now: number,
): string | undefined {
  const outdated = approvals.find(approval => !isSameTool(approval.made, call.made) && fits(approval, call, now))
  if (!outdated) return undefined
  return outdated.made === undefined
    ? `the remembered answer ${outdated.id} no longer counts: an older version of Toolwright stored it without the version and effects of its tool`
    : `the remembered answer ${outdated.id} no longer counts: the tool has another major version or other effects than the one it was given for`
}

const fits = (approval: CompiledApproval, call: AskingCall, now: number): boolean =>
  call.tool !== '' &&
  approval.tool === call.tool &&
  isAlive(approval, now) &&
  reaches(approval, call) &&
  covers(approval, call)

/**
 * Minor versions add to a tool; a major one, or other effects, make it another tool than the one that was approved.
 * Nobody can tell which tool an answer without a note was given for, so that it approves none.
 */
function isSameTool(then: CompiledApproval['made'], now: MadeFor): boolean {
  if (then === undefined) return false
  return then === ANY_VERSION || (then.major === now.major && then.effects.join() === now.effects.join())
}

function isAlive({ enabled, expired, expiresAt }: CompiledApproval, now: number): boolean {
  if (!enabled || expired) return false
  return expiresAt === undefined || now <= expiresAt
}

/** A scope whose key is missing on either side reaches nothing. */
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
  const named = compiled.filter(namesCommand)
  const isGranted = (claim: Claim): boolean => compiled.some(grant => grantCovers(grant, claim))
  const isNamed = (part: Claim): boolean => named.some(grant => grantCovers(grant, part))
  return call.claims.length > 0 && call.claims.every(claim => isGranted(claim) || partsOf(claim)?.every(isNamed))
}

/** A wildcard is written for the arguments of a command: it does not reach over `;`, `&&`, `|` or `$(…)` into another one. */
const isOneCommand = ({ action, resource }: Claim): boolean =>
  action !== 'exec' || commandParser().plainWords(resource) !== undefined

/** A line of plain commands is covered where each of them is, by a grant that names it. */
function partsOf({ action, resource }: Claim): readonly Claim[] | undefined {
  return action === 'exec'
    ? commandParser()
        .plainParts(resource)
        ?.map(part => ({ action, resource: part }))
    : undefined
}

/** The paths in the parameters are the real ones: no link, no `..`, no other spelling leads somewhere else. */
function isAsStated({ claims, stated }: AskingCall): boolean {
  const key = ({ action, resource }: Claim): string => `${action} ${resource === '.' ? '' : resource}`
  const real = new Set(claims.map(key))
  return claims.length === stated.length && stated.every(claim => real.has(key(claim)))
}
