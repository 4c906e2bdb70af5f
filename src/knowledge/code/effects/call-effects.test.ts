import { expect, it } from 'vitest'
import { openRoot } from '../../../machine/workspace/root.ts'
import { createStaging } from '../../../machine/workspace/staging.ts'
import { temporaryWorkspace } from '../../../testing/index.ts'
import { createBacklog } from './backlog.ts'
import { callEffects, type CallEffectsParts } from './call-effects.ts'
import { createFindings } from './findings.ts'
import type { EffectsWork } from './types.ts'

const WISH = { mode: 'quick', deadlineMs: 0, landingMs: undefined, signal: undefined, onSent() {} } as const

/** Later effects of a change that was answered before it was judged. */
async function toldLater(judgedLater: EffectsWork['judge']) {
  await using workspace = temporaryWorkspace({ 'a.ts': 'export const a = 1\n' })
  const root = openRoot(workspace.path)
  const staging = createStaging()
  staging.set('a.ts', { type: 'file' } as never, { type: 'absent' })
  const backlog = createBacklog()
  const work: Pick<EffectsWork, 'concerns' | 'serves' | 'judge'> = {
    concerns: () => true,
    serves: async () => true,
    judge: async (question, signal) =>
      question.isLater ? judgedLater(question, signal) : createFindings(question.changed).sofar(),
  }
  const parts = { root, staging, backlog, work, mayRead: () => true, commits: () => false, undecided: () => 0 }
  try {
    const judged = await callEffects(parts as unknown as CallEffectsParts).judged(WISH)
    expect(judged?.effects).toMatchObject({ complete: false, left: 1 })
    return { late: await judged?.later?.('u1'), isOpen: !backlog.isEmpty() }
  } finally {
    root.close()
  }
}

it('tells of a change that could not be judged that it was not, and why', async () => {
  const { late, isOpen } = await toldLater(() => Promise.reject(new Error('the server ended')))
  expect(isOpen).toBe(false)
  expect(late).toMatchObject({
    id: 'u1',
    effects: { complete: false, left: 1, summary: 'not judged yet: 1 file (the server ended)' },
  })
})

it('keeps a change that only lacked time, to be judged with the next one', async () => {
  const { late, isOpen } = await toldLater(async ({ changed }) => createFindings(changed).sofar())
  expect([late, isOpen]).toEqual([undefined, true])
})

it('judges a change again that another session stopped, and says nothing if that is stopped too', async () => {
  const stopped = (changed: readonly string[]) => {
    const findings = createFindings(changed)
    findings.stop()
    return findings.sofar()
  }
  const views: string[] = []
  const again = await toldLater(async ({ view, changed }) => {
    views.push(view)
    if (views.length === 1) return stopped(changed)
    const findings = createFindings(changed)
    findings.expect('typescript', [])
    findings.finish()
    return findings.sofar()
  })
  expect(again.late).toMatchObject({ id: 'u1', effects: { complete: true, summary: 'no new errors' } })
  expect(new Set(views).size).toBe(2)
  const { late, isOpen } = await toldLater(async ({ changed }) => stopped(changed))
  expect([late, isOpen]).toEqual([undefined, true])
})
