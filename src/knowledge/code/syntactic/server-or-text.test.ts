import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ToolError } from '../../../kernel/error.ts'
import { openRoot } from '../../../machine/workspace/root.ts'
import { createStaging } from '../../../machine/workspace/staging.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../testing/index.ts'
import type { CodeParts } from '../code-parts.ts'
import type { CodeQuestion, AnswerBasis } from '../types.ts'
import { syntacticCallers } from './syntactic-callers.ts'
import { LEAST_FILES } from './read-project.ts'
import { serverOrText } from './server-or-text.ts'

const CALLING = LEAST_FILES + 30
const files = {
  'a.py': 'def area():\n    return 1\n',
  ...Object.fromEntries(
    Array.from({ length: CALLING }, (_, at) => [
      `b${at}.py`,
      `from a import area\n\ndef use${at}():\n    return area()\n`,
    ]),
  ),
}

let workspace: TemporaryWorkspace
let parts: CodeParts
beforeEach(() => {
  workspace = temporaryWorkspace(files)
  // Neither index nor server is asked: the file is given, and `ask` stands for the server.
  parts = { root: openRoot(workspace.path), staging: createStaging(), mayRead: () => true } as unknown as CodeParts
})
afterEach(async () => {
  parts.root.close()
  await workspace.remove()
})

const QUESTION_MS = 60_000
const question: CodeQuestion & { readonly depth: number } = {
  name: 'area',
  path: 'a.py',
  depth: 1,
  deadlineMs: QUESTION_MS,
  waitMs: 20,
}
const late = () => Promise.reject(new ToolError('timeout', 'The language server was loading'))
const absent = () =>
  Promise.reject(new ToolError('unavailable', 'No language server is known', { details: { absent: true } }))

describe('an answer of the text in place of a server that is late', () => {
  it('comes soon after the wait, not when the question is over', async () => {
    const at = performance.now()
    const found = await serverOrText(parts, question, late, async (_path, { isEnough }): Promise<AnswerBasis> => {
      await vi.waitFor(() => expect(isEnough?.()).toBe(true), { timeout: QUESTION_MS, interval: 10 })
      return { basis: { by: 'syntax' }, partial: false }
    })
    expect(found).toMatchObject({ provisional: true, partial: true })
    // Without a bound of its own it would take all of the question.
    expect(performance.now() - at).toBeLessThan(QUESTION_MS / 3)
  })

  it('does not say that there is no such function, which the server may know', async () => {
    const unknown = { ...question, name: 'volume' }
    const read = (path: string, asked: typeof question) => syntacticCallers(parts, path, asked)
    await expect(serverOrText(parts, unknown, late, read)).rejects.toMatchObject({ code: 'timeout' })
    await expect(serverOrText(parts, unknown, absent, read)).rejects.toMatchObject({ code: 'no_match' })
  })

  it('reads without end where no server answers at all', async () => {
    let seen: boolean | undefined
    await serverOrText(parts, question, absent, async (_path, { isEnough }): Promise<AnswerBasis> => {
      await pause(1_200)
      seen = isEnough?.()
      return { basis: { by: 'syntax' }, partial: false }
    })
    expect(seen).toBe(false)
  })

  it('says how many files it did not read', async () => {
    const { callers, unknown, partial } = await syntacticCallers(parts, 'a.py', { ...question, isEnough: () => true })
    expect(callers.length).toBeGreaterThan(0)
    expect(callers.length).toBeLessThanOrEqual(LEAST_FILES)
    expect(unknown).toContain(`${CALLING + 1 - LEAST_FILES} files that may matter were not read in time`)
    expect(partial).toBe(true)
  })

  it('is whole where there is time, or little to read', async () => {
    const whole = await syntacticCallers(parts, 'a.py', question)
    expect([whole.callers.length, whole.unknown]).toEqual([CALLING, []])
    await using small = temporaryWorkspace({ 'a.py': files['a.py'], 'b.py': 'from a import area\n\narea()\n' })
    const root = openRoot(small.path)
    const found = await syntacticCallers({ ...parts, root }, 'a.py', { ...question, isEnough: () => true })
    root.close()
    expect([found.callers.length, found.unknown]).toEqual([1, []])
  })
})
