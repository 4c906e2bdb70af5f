import { randomUUID } from 'node:crypto'
import { sage } from '../../../contracts/sage/contract.ts'
import { ToolError } from '../../../kernel/error.ts'
import { withToolkit } from '../shared-toolkit.ts'
import { sessionOptions } from './call-in.ts'
import { ensureContext } from './known-keys.ts'
import { asFailure, ToolFailure } from './tool-failure.ts'
import type { ToolContext } from './types.ts'

/**
 * The document's transaction boundary. Calls with the context passed to `work` are staged, see each other's changes,
 * and land together when the validators pass. If `work` throws or a validator fails, nothing lands, and it throws.
 */
export async function inTransaction<T>(ctx: ToolContext, work: (ctx: ToolContext) => Promise<T>): Promise<T> {
  asFailure(() => ensureContext(ctx))
  if (ctx.transaction !== undefined)
    throw new ToolFailure(
      new ToolError('conflict', `This context is in transaction '${ctx.transaction}' already`, {
        hint: 'Use it as it is: its calls land together with that transaction',
      }),
    )
  const transaction = `t-${randomUUID()}`
  const inside = { ...ctx, transaction }
  return withToolkit(ctx.cwd, async (kit, shared) => {
    const session = kit.session({ ...sessionOptions(inside, shared), contract: sage })
    const stage = async (action: string) => {
      const { outcome } = await session.run('stage', { action }, { contract: 'toolwright' })
      if (!outcome.ok) throw new ToolFailure(outcome.error)
    }
    await stage('begin')
    try {
      const result = await work(inside)
      await stage('commit')
      return result
    } catch (error) {
      await stage('rollback')
      throw error
    }
  }).catch(asToolFailure)
}

/** The workspace of the context cannot be opened. */
const asToolFailure = (cause: unknown): never =>
  asFailure(() => {
    throw cause
  })
