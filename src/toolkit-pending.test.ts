import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ApprovalAnswer, PendingApproval } from './kernel/pending-approval.ts'
import { answeredBy, type Answer, type Question } from './runtime/questions.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from './testing/index.ts'
import type { Toolkit } from './toolkit.ts'

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')
const FILES = { 'a.txt': 'one\n', 'long.txt': lines(40), 'other.txt': 'two\n' }
const EDIT = { path: 'a.txt', edits: [{ old: 'one', new: 'uno' }] }
/** Three edits, far enough from each other for three hunks. */
const THREE = { path: 'long.txt', edits: [2, 20, 38].map(at => ({ old: `line ${at}\n`, new: `LINE ${at}\n` })) }

let workspace: TemporaryWorkspace
let kit: Toolkit
let elsewhere: Toolkit
beforeEach(async () => {
  workspace = temporaryWorkspace(FILES)
  kit = await workspace.open({ client: 'the agent' })
  elsewhere = await workspace.open()
})
afterEach(() => workspace.remove())

/** A person at the screen of the session, who does not answer by themselves. */
function screen(asked = kit) {
  const shown: Question[] = []
  const answers: ((answer: Answer) => void)[] = []
  asked.questions.attach(
    question =>
      new Promise(resolve => {
        shown.push(question)
        answers.push(resolve)
      }),
  )
  return { shown, answer: (answer: Answer) => answers.at(-1)?.(answer) }
}

async function nextQuestion(): Promise<PendingApproval> {
  const list = await elsewhere.workspace.pending()
  for (let look = 0; look < 3_000; look++) {
    const [question] = list.list()
    if (question) return question
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error('nothing was asked')
}

async function answerElsewhere(answer: Omit<ApprovalAnswer, 'digest'>, by = 'ann (approve)'): Promise<PendingApproval> {
  const { id, digest } = await nextQuestion()
  return (await elsewhere.workspace.pending()).answer(id, { ...answer, digest }, by)
}

describe('a question of one session, seen by another process', () => {
  it('says what will happen, who asks and why', async () => {
    screen()
    const call = kit.run('edit', EDIT)
    expect(await nextQuestion()).toMatchObject({
      state: 'open',
      asker: { client: 'the agent', task: 'default', contract: 'toolwright', tool: 'edit' },
      why: expect.stringContaining('the default for write is ask'),
      always: expect.stringContaining('a.txt'),
      risk: 'dangerous',
      input: EDIT,
      claims: [
        { action: 'read', resource: 'a.txt' },
        { action: 'write', resource: 'a.txt' },
      ],
      changes: [{ path: 'a.txt', kind: 'change', diff: expect.stringContaining('+uno'), hunks: [{ number: 1 }] }],
    })
    await answerElsewhere({ answer: 'no' })
    await call
  })

  it('is answered there: the change lands, and the screen that asked is told by whom', async () => {
    const { shown } = screen()
    const call = kit.run('edit', EDIT)
    await answerElsewhere({ answer: 'yes' })
    expect((await call).outcome.ok).toBe(true)
    expect(workspace.read('a.txt')).toBe('uno\n')
    expect(shown.map(question => answeredBy(question))).toMatchObject([{ answer: 'yes', by: 'ann (approve)' }])
    expect((await elsewhere.workspace.pending()).list()).toEqual([])
    expect(kit.questions.pending()).toEqual([])
  })

  it('gives a reason for a no to the model, and lands nothing', async () => {
    screen()
    const call = kit.run('edit', EDIT)
    await answerElsewhere({ answer: 'no', reason: 'use the helper' })
    const { outcome } = await call
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'rejected', hint: expect.stringContaining('because: use the helper') },
    })
    expect(workspace.read('a.txt')).toBe('one\n')
  })

  it('is closed there when the screen that asked answers, with the name of who did', async () => {
    const here = screen()
    const call = kit.run('edit', EDIT)
    const { id, digest } = await nextQuestion()
    here.answer({ answer: 'yes', by: 'ada' })
    expect((await call).outcome.ok).toBe(true)
    const list = await elsewhere.workspace.pending()
    expect(() => list.answer(id, { answer: 'no', digest }, 'ann')).toThrow(`'${id}' was answered yes by ada`)
  })

  it('uses the answer that came first if both come before the call looks', async () => {
    const here = screen()
    const call = kit.run('edit', EDIT)
    await answerElsewhere({ answer: 'no' })
    here.answer({ answer: 'yes', by: 'ada' })
    expect((await call).outcome).toMatchObject({ ok: false, error: { details: { by: 'ann (approve)' } } })
    expect(workspace.read('a.txt')).toBe('one\n')
  })

  it('is remembered by always, as if it was answered at the screen', async () => {
    screen()
    const call = kit.run('edit', EDIT)
    await answerElsewhere({ answer: 'always', scope: 'session' })
    expect((await call).outcome.ok).toBe(true)
    expect((await kit.run('edit', { path: 'a.txt', edits: [{ old: 'uno', new: 'due' }] })).outcome.ok).toBe(true)
  })

  it('is withdrawn when the call is cancelled', async () => {
    screen()
    const caller = new AbortController()
    const call = kit.run('edit', EDIT, { signal: caller.signal })
    const { id } = await nextQuestion()
    caller.abort()
    expect((await call).outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect((await elsewhere.workspace.pending()).get(id)).toMatchObject({
      state: 'withdrawn',
      closed: 'the call was cancelled',
    })
  })

  it('is answered for nothing if the file changed since, or a deny was stored', async () => {
    screen()
    const changed = kit.run('edit', EDIT)
    await nextQuestion()
    workspace.write('a.txt', 'one and more\n')
    await answerElsewhere({ answer: 'yes' })
    expect((await changed).outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(workspace.read('a.txt')).toBe('one and more\n')

    const denied = kit.run('write', { path: 'new.txt', content: 'x', expect: 'absent' })
    await nextQuestion()
    const { workspace: shelf } = await elsewhere.workspace.denials()
    shelf.add({ deny: 'fs:write:new.txt', scope: 'workspace', by: 'ann', at: new Date().toISOString(), enabled: true })
    await answerElsewhere({ answer: 'yes' })
    expect((await denied).outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(Object.keys(workspace.snapshot())).not.toContain('new.txt')
  })

  it('asks nothing there that a program answers at once', async () => {
    kit.questions.attach(() => ({ answer: 'yes', by: 'a program' }))
    expect((await kit.run('edit', EDIT)).outcome.ok).toBe(true)
    expect((await elsewhere.workspace.pending()).list()).toEqual([])
  })
})

describe('a question that no one can be asked here', () => {
  it('is no at once, and in no list, without the option to wait', async () => {
    expect((await kit.run('edit', EDIT)).outcome).toMatchObject({
      ok: false,
      error: { code: 'rejected', message: expect.stringContaining('no one can be asked here') },
    })
    expect((await elsewhere.workspace.pending()).list()).toEqual([])
  })

  it('waits in the list until it is answered', async () => {
    const waiting = await workspace.open({ waitForApprovalMs: 60_000 })
    const call = waiting.run('edit', EDIT)
    expect(Date.parse((await nextQuestion()).until ?? '')).toBeGreaterThan(Date.now() + 30_000)
    await answerElsewhere({ answer: 'yes' })
    expect((await call).outcome.ok).toBe(true)
    expect(workspace.read('a.txt')).toBe('uno\n')
  })

  it('is no when its time is over, and says so', async () => {
    const waiting = await workspace.open({ waitForApprovalMs: 1_000 })
    expect((await waiting.run('edit', EDIT)).outcome).toMatchObject({
      ok: false,
      error: { code: 'rejected', message: expect.stringContaining('no one answered within 1 s') },
    })
    expect(workspace.read('a.txt')).toBe('one\n')
  })

  it('also waits where the client could not show it', async () => {
    const waiting = await workspace.open({ waitForApprovalMs: 60_000 })
    const call = waiting.run('edit', EDIT, {
      approve: () => ({ answer: 'no', by: 'nobody', undecided: "'x' cannot show questions" }),
    })
    await answerElsewhere({ answer: 'yes' })
    expect((await call).outcome.ok).toBe(true)
  })
})

describe('an answer for parts of a change', () => {
  it('lands two of three hunks of an edit, tells the model which not, and answers with the file as it is', async () => {
    screen()
    const call = kit.run('edit', THREE)
    expect((await nextQuestion()).changes[0]?.hunks.map(({ number }) => number)).toEqual([1, 2, 3])
    await answerElsewhere({ answer: 'yes', hunks: [1, 3], reason: 'the middle stays' })
    const { outcome } = await call
    const now = lines(40).replace('line 2\n', 'LINE 2\n').replace('line 38\n', 'LINE 38\n')
    expect(workspace.read('long.txt')).toBe(now)
    expect(outcome).toMatchObject({
      ok: true,
      data: {
        total: 2,
        applied: [
          { line: 2, lines: 1, old: 'line 2\n', new: 'LINE 2\n' },
          { line: 38, lines: 1, old: 'line 38\n', new: 'LINE 38\n' },
        ],
        bytes: Buffer.byteLength(now),
      },
      meta: {
        changed: ['long.txt'],
        warnings: [
          expect.stringMatching(/^A person accepted 2 of 3 hunks\. Not landed: long\.txt @@ -17,7 .*the middle stays/),
        ],
      },
    })
    // The hash is that of the file, so that the next edit finds what it expects.
    const { hash } = Object(outcome.ok && outcome.data)
    kit.questions.attach(() => ({ answer: 'yes', by: 'a program' }))
    const next = await kit.run('edit', { path: 'long.txt', edits: [{ old: 'line 5\n', new: 'five\n' }], expect: hash })
    expect(next.outcome.ok).toBe(true)
  })

  it('lands the accepted files of a patch, and makes no directory for a refused one', async () => {
    screen()
    const diff =
      '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+uno\n' +
      '--- /dev/null\n+++ b/new/deep/x.txt\n@@ -0,0 +1 @@\n+x\n' +
      '--- a/other.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-two\n'
    const call = kit.run('patch', { diff })
    const { changes } = await nextQuestion()
    const number = changes.find(({ path }) => path === 'a.txt')?.hunks[0]?.number ?? 0
    expect(changes.flatMap(({ hunks }) => hunks)).toHaveLength(3)
    await answerElsewhere({ answer: 'yes', hunks: [number] })
    const { outcome } = await call
    expect(outcome).toMatchObject({ ok: true, data: { applied: true, files: [{ path: 'a.txt' }] } })
    expect(Object.keys(workspace.snapshot())).toEqual(['a.txt', 'long.txt', 'other.txt'])
    expect(workspace.read('a.txt')).toBe('uno\n')
  })

  it('lands parts of a transaction, and validators see only what lands', async () => {
    workspace.write(
      '../config/config.json',
      JSON.stringify({
        validators: [{ name: 'no two', command: ['sh', '-c', '! grep -q refused long.txt a.txt'] }],
      }),
    )
    const checked = await workspace.open()
    screen(checked)
    await checked.run('stage', { action: 'begin' })
    await checked.run('edit', EDIT)
    const edits = [2, 20].map(at => ({ old: `line ${at}\n`, new: at === 2 ? 'accepted\n' : 'refused\n' }))
    await checked.run('edit', { path: 'long.txt', edits })
    const call = checked.run('stage', { action: 'commit' })
    const { changes } = await nextQuestion()
    const refused = changes.flatMap(({ hunks }) => hunks).find(({ text }) => text.includes('refused'))?.number
    expect(refused).toBe(3)
    await answerElsewhere({ answer: 'yes', hunks: [1, 2] })
    expect((await call).outcome).toMatchObject({ ok: true, data: { changed: ['a.txt', 'long.txt'] } })
    expect(workspace.read('a.txt')).toBe('uno\n')
    expect(workspace.read('long.txt')).toBe(lines(40).replace('line 2\n', 'accepted\n'))
  })

  it.each([
    [
      'a tool of a document',
      () =>
        kit.run(
          'replace_string_in_file',
          { path: 'a.txt', old_string: 'one', new_string: 'uno' },
          { contract: 'cli-agent' },
        ),
    ],
    ['a command', () => kit.run('run', { command: 'touch b.txt' })],
  ])('is not offered for %s', async (_, start) => {
    screen()
    const call = start()
    expect((await nextQuestion()).changes.flatMap(({ hunks }) => hunks)).toEqual([])
    await expect(answerElsewhere({ answer: 'yes', hunks: [1] })).rejects.toThrow('is answered as a whole')
    await answerElsewhere({ answer: 'no' })
    expect((await call).outcome.ok).toBe(false)
  })
})
