import type { Claim, Effect } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import type { CommandTree } from '../kernel/open-options.ts'
import type { Concurrency } from './schedule.ts'

/** Returns the claims that a tool states. Claiming more than it declares is a defect, and then nothing runs. */
export function declaredClaims(tool: AnyTool<never>, claims: readonly Claim[]): readonly Claim[] {
  const undeclaredClaim = claims.find(({ action }) => action === 'reveal' || !tool.effects.includes(action))
  if (undeclaredClaim) throw new Error(`${tool.name} claims '${undeclaredClaim.action}' but does not declare it`)
  return claims
}

/** Returns a claim on each secret that an input names. */
export const reveals = (keys: readonly string[]): readonly Claim[] =>
  keys.map(resource => ({ action: 'reveal', resource }))

interface Affecting {
  readonly effects: readonly Effect[]
  readonly plainInput?: true
}

/** Reports whether any call of a tool can leave files changed. */
export const mutates = ({ effects }: Affecting): boolean =>
  effects.includes('write') || effects.includes('create') || effects.includes('exec')

/** Reports whether a tool may get secrets. One that only reads may not: a search for a secret would confirm a guess. */
export const mayReveal = ({ effects, plainInput }: Affecting): boolean =>
  plainInput !== true && effects.some(effect => effect !== 'read')

/**
 * Reports whether a dry run does this for real. It changes no file, but it really reads, runs, requests and reveals.
 */
export const really = ({ action }: Claim): boolean => action !== 'create' && action !== 'write'

/**
 * Reports whether this is a command, which gets its secrets apart: a value spliced into it is code once it holds a
 * quote.
 */
export const isCommand = ({ action }: Claim): boolean => action === 'exec'

/** Returns how a call runs beside others. The changes of its commands are known only after they end. */
export function concurrencyOf(
  { yields }: Pick<AnyTool<never>, 'yields'>,
  claims: readonly Claim[],
  { tree, isAlone }: { readonly tree: CommandTree; readonly isAlone: boolean },
): Concurrency {
  if (yields && !isAlone) return 'yielding'
  // A background command writes to the workspace itself.
  if (isAlone || !claims.some(isCommand) || claims.some(changesFiles)) return 'alone'
  return tree === 'writable' ? 'merging' : 'reading'
}

/**
 * Reports whether a claim needs approval now. File changes that are only staged wait until their transaction lands; the
 * memory has no transactions.
 */
export const cannotWait = (claim: Claim): boolean =>
  claim.staged === true || claim.memory === true || !changesFiles(claim)

const changesFiles = ({ action }: Claim): boolean => action === 'write' || action === 'create'

export const isRead = ({ action }: Claim): boolean => action === 'read'

/** Throws if a task's name could lead elsewhere, because files are named after it. */
export function ensureName(task: string): void {
  const isPlain = task.trim() !== '' && task !== '.' && !/\.\.|[/\\\p{Cc}]/u.test(task)
  if (isPlain && Buffer.byteLength(task) <= 200) return
  throw new ToolError('invalid_input', `'${task}' cannot be the name of a component or task`, {
    hint: 'Use a plain name of at most 200 bytes, without separators and control characters',
  })
}
