import type { LoopEnd } from '../../agent/loop.ts'
import type { RunLine } from '../../machine/state/run-log.ts'
import type { Answerer } from '../../runtime/questions.ts'
import type { SessionHandle, Toolkit } from '../../toolkit.ts'

const OURS = { contract: 'toolwright' } as const

/** Begins a transaction that holds all changes of a run, and returns the line that names it. */
export async function beginStaging(session: SessionHandle): Promise<RunLine> {
  const { outcome } = await session.run('stage', { action: 'begin' }, OURS)
  if (!outcome.ok) throw outcome.error
  return { type: 'staged', transaction: String(Object(outcome.data).transaction) }
}

/**
 * Lands what a run staged: the validators run, and the person sees all of it. The permissions of the run do not count,
 * because each of its calls was allowed to stage, and none to land.
 */
export async function landStaged(
  kit: Toolkit,
  session: SessionHandle,
  end: LoopEnd,
  approve: Answerer | undefined,
): Promise<LoopEnd> {
  const { outcome: diff } = await session.run('stage', { action: 'diff' }, OURS)
  const { transaction, changed } = Object(diff.ok ? diff.data : {})
  if (Array.isArray(changed) && changed.length === 0) {
    await session.run('stage', { action: 'rollback' }, OURS)
    return end
  }
  const landing = kit.session({
    client: 'toolwright agent',
    task: session.task,
    ...(typeof transaction === 'string' && { transaction }),
  })
  const detach = approve && landing.questions.attach(approve)
  try {
    const { outcome } = await landing.run('stage', { action: 'commit' }, OURS)
    if (outcome.ok) return end
    const { code, message, hint = '' } = outcome.error
    const reason = `Nothing landed: ${message}. ${hint} The changes are still staged: toolwright stage diff --transaction ${transaction}`
    return { ...end, status: code === 'rejected' || code === 'denied' ? 'refused' : 'failed', reason }
  } finally {
    detach?.()
  }
}
