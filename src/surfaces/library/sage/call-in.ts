import { isPublished, published } from '../../../contracts/published.ts'
import { failureOf } from '../../../contracts/sage/failure.ts'
import type { Engines } from '../../../engines/engines.ts'
import { createReadMemory, type ReadMemory } from '../../../machine/workspace/read-memory.ts'
import type { Call, Contract } from '../../../kernel/contract.ts'
import { ToolError } from '../../../kernel/error.ts'
import { reasonOf } from '../../../kernel/reason-of.ts'
import { FIXED_TIME } from '../../../kernel/time.ts'
import type { SessionOptions, Shared } from '../../../toolkit.ts'
import { withToolkit } from '../shared-toolkit.ts'
import { ensureContext, ensureKnownLists, ensureKnownQuotas } from './known-keys.ts'
import type { ToolContext, ToolLog, ToolResult } from './types.ts'

/** Runs one call in the context's workspace, with only the permissions it grants. Never throws. */
export async function callIn<O>(
  ctx: ToolContext,
  contract: Contract<Engines>,
  call: Call,
  options: Pick<SessionOptions, 'commands' | 'commandTimeoutMs'> = {},
): Promise<ToolResult<O>> {
  const isFixed: unknown = Object(ctx).deterministic
  const startedAt = isFixed ? new Date(FIXED_TIME) : new Date()
  try {
    ensureContext(ctx)
    return await withToolkit(ctx.cwd, async (kit, shared) => {
      const session = kit.session({ ...sessionOptions(ctx, shared), contract: namingQuota(contract, ctx), ...options })
      return (await session.call(call.name, call.input, { dryRun: ctx.dryRun ?? false })) as ToolResult<O>
    })
  } catch (cause) {
    return notBegun(contract, cause, startedAt, isFixed ? startedAt : new Date())
  }
}

/** Returns the time limit of a context, which may be anything before it is checked. */
export function timeLimitOf(ctx: ToolContext): number | undefined {
  const { quotas }: Partial<ToolContext> = Object(ctx)
  return quotas?.timeoutMs
}

/** The contract, with hints that name the context's quota if it ended a call. */
function namingQuota(contract: Contract<Engines>, { quotas }: ToolContext): Contract<Engines> {
  const timeoutMs = quotas?.timeoutMs
  if (timeoutMs === undefined) return contract
  const naming: Contract<Engines> = {
    ...contract,
    envelope(call, outcome) {
      if (outcome.ok || outcome.error.code !== 'timeout' || outcome.error.details?.['timeoutMs'] !== timeoutMs)
        return contract.envelope(call, outcome)
      const { code, message, details } = outcome.error
      const hint = `Ask for less at once, or raise ${TIME_QUOTA}`
      const error = new ToolError(code, message, { hint, details: { ...details, timeSetBy: TIME_QUOTA } })
      return contract.envelope(call, { ...outcome, error })
    },
  }
  return isPublished(contract) ? published(naming) : naming
}

const TIME_QUOTA = 'timeoutMs in the quotas of the context'

/** A session with no more power than the context grants. */
export const sessionOptions = (ctx: ToolContext, sharedState: Shared): SessionOptions => {
  ensureKnownQuotas(ctx.quotas)
  ensureKnownLists(ctx.commands)
  const { timeoutMs, ...commandLimits } = ctx.quotas ?? {}
  return {
    // Without a list of permissions, only reading is allowed; with one, only the list is.
    permissions: ctx.permissions ?? ['fs:read'],
    permissionsOnly: true,
    commandLimits,
    ...(timeoutMs !== undefined && { commandTimeoutMs: timeoutMs }),
    ...(ctx.env && { commandEnv: ctx.env }),
    ...(ctx.transaction !== undefined && { transaction: ctx.transaction }),
    ...(ctx.deterministic && { deterministic: true }),
    ...(ctx.graph && { graph: ctx.graph }),
    ...(ctx.journal && { journal: ctx.journal }),
    // Passing a secret provider grants its secrets.
    ...(ctx.secretProvider && { secrets: ctx.secretProvider, grantSecrets: true }),
    ...(ctx.logger && { onRecord: record => ctx.logger?.(record as ToolLog) }),
    shared: { ...sharedState, memory: memoryOf(ctx, sharedState.memory) },
  }
}

/** The context is invalid: a missing directory, a permission that cannot be parsed. */
function notBegun<O>(contract: Contract<Engines>, cause: unknown, startedAt: Date, endedAt: Date): ToolResult<O> {
  const message = reasonOf(cause)
  const error = cause instanceof ToolError ? cause : new ToolError('io', message)
  return {
    ok: false,
    error: failureOf(error, contract.codes).error,
    meta: {
      startedAt: startedAt.toISOString(),
      endedAt: endedAt.toISOString(),
      durationMs: endedAt.getTime() - startedAt.getTime(),
    },
  }
}

const memories = new WeakMap<ToolContext, ReadMemory>()

/** Calls with the same context share one session. Others share what the program has read of the directory. */
function memoryOf(ctx: ToolContext, shared: ReadMemory): ReadMemory {
  const contextMemory = memories.get(ctx) ?? createReadMemory()
  memories.set(ctx, contextMemory)
  return {
    get: path => contextMemory.get(path) ?? shared.get(path),
    isWhole: path => (contextMemory.get(path) === undefined ? shared : contextMemory).isWhole(path),
    contentOf: path => (contextMemory.get(path) === undefined ? shared : contextMemory).contentOf(path),
    note(path, hash, part, bytes) {
      contextMemory.note(path, hash, part, bytes)
      shared.note(path, hash, part, bytes)
    },
    noteWritten(path, hash) {
      contextMemory.noteWritten(path, hash)
      shared.noteWritten(path, hash)
    },
    noteChanges(changes, staging) {
      contextMemory.noteChanges(changes, staging)
      shared.noteChanges(changes, staging)
    },
  }
}
