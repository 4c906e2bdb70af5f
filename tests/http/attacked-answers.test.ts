import { describe, expect, it } from 'vitest'
import { useServer } from './rig.ts'

const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
const http = useServer({ 'a.txt': lines, 'b.txt': lines }, { approvalMs: 60_000 })

interface Waiting {
  readonly id: string
  readonly digest: string
}

const edit = (path: string, ...words: readonly string[]) =>
  http.current.json('POST', '/v1/calls', {
    token: http.current.client('read', 'call'),
    body: { tool: 'edit', input: { path, edits: words.map(old => ({ old: `${old}\n`, new: `${old} changed\n` })) } },
  })

/** Returns the questions that wait, once there are so many. */
async function waiting(count: number): Promise<readonly Waiting[]> {
  let open: readonly Waiting[] = []
  await expect
    .poll(async () => (open = (await http.current.json('GET', '/v1/approvals')).approvals).length, { timeout: 10_000 })
    .toBe(count)
  return open
}

const answer = async (id: string, body: object, token = http.current.token) =>
  (await http.current.request('POST', `/v1/approvals/${id}`, { body, token })).status

const files = () => [http.current.workspace.read('a.txt'), http.current.workspace.read('b.txt')]

describe('a question of a call that waits', () => {
  it('is not answered by what fits another question, or no question', async () => {
    const first = edit('a.txt', 'line 2', 'line 15', 'line 28')
    const [one] = await waiting(1)
    const second = edit('b.txt', 'line 3')
    const [, other] = await waiting(2)
    if (!one || !other) throw new Error('Two questions wait')
    const { digest } = other
    for (const [body, status] of [
      [{ answer: 'yes', digest: one.digest }, 409],
      [{ answer: 'yes', digest: `${digest} ` }, 409],
      [{ answer: 'yes', digest: digest.toUpperCase() + 'x' }, 409],
      [{ answer: 'yes', digest: digest.slice(0, -1) }, 409],
      [{ answer: 'yes', digest: '' }, 400],
      [{ answer: 'yes', digest: [digest] }, 400],
      [{ answer: 'yes', digest, hunks: [1, 2] }, 400],
      [{ answer: 'yes', digest, hunks: [2] }, 400],
      [{ answer: 'yes', digest, hunks: [1, 1] }, 400],
      [{ answer: 'yes', digest, hunks: [0] }, 400],
      [{ answer: 'yes', digest, hunks: [1.5] }, 400],
      [{ answer: 'yes', digest, hunks: ['1'] }, 400],
      [{ answer: 'yes', digest, hunks: [] }, 400],
      [{ answer: 'no', digest, hunks: [1] }, 400],
      [{ answer: 'Yes', digest }, 400],
      [{ answer: ['yes'], digest }, 400],
      [{ answer: true, digest }, 400],
      [{ answer: 'allow', digest }, 400],
      [{ answer: 'yes', digest, id: one.id }, 400],
      [{ answer: 'yes', digest, by: 'ann' }, 400],
      [{ answer: 'always', digest, scope: 'global' }, 400],
      [{ answer: 'always', digest, hunks: [1] }, 400],
      [{ answer: 'yes', digest, workspace: 'another' }, 404],
    ] as const)
      expect([body, await answer(other.id, body)]).toEqual([body, status])
    for (const id of [`${other.id}x`, '..', other.id.toUpperCase() + '-', `${one.id}%2F..%2F${other.id}`])
      expect([id, (await answer(id, { answer: 'yes', digest })) >= 400]).toEqual([id, true])
    expect([files(), (await waiting(2)).map(({ id }) => id)]).toEqual([
      [lines, lines],
      [one.id, other.id],
    ])
    for (const { id, digest: shown } of [one, other])
      expect(await answer(id, { answer: 'no', digest: shown })).toBe(200)
    expect([(await first).error.code, (await second).error.code]).toEqual(['rejected', 'rejected'])
    expect(files()).toEqual([lines, lines])
  })

  it('is not answered by its own caller, or any token without approve', async () => {
    const made = edit('a.txt', 'line 2')
    const [question] = await waiting(1)
    if (!question) throw new Error('A question waits')
    const body = { answer: 'yes', digest: question.digest }
    for (const token of [http.current.client('read', 'call'), http.current.client('read'), http.current.client('call')])
      expect(await answer(question.id, body, token)).toBe(403)
    expect([files(), (await waiting(1)).length]).toEqual([[lines, lines], 1])
    await answer(question.id, { answer: 'no', digest: question.digest })
    expect(await made).toMatchObject({ ok: false })
  })

  it('is answered once: of many at a time one wins, and no later one changes it', async () => {
    const made = edit('a.txt', 'line 2', 'line 15', 'line 28')
    const [question] = await waiting(1)
    if (!question) throw new Error('A question waits')
    const { id, digest } = question
    const tries = [{ hunks: [1] }, { hunks: [2] }, { hunks: [3] }, { hunks: [1, 2] }, {}, { reason: 'late' }]
    const statuses = await Promise.all(tries.map(each => answer(id, { answer: 'yes', digest, ...each })))
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await made).toMatchObject({ ok: true })
    const hunks = tries[statuses.indexOf(200)]?.hunks ?? [1, 2, 3]
    const words = ['line 2', 'line 15', 'line 28'].filter((_, at) => hunks.includes(at + 1))
    const landed = words.reduce((text, word) => text.replace(`${word}\n`, `${word} changed\n`), lines)
    expect(files()).toEqual([landed, lines])
    expect(await answer(id, { answer: 'yes', digest })).toBe(409)
    expect(await answer(id, { answer: 'always', digest, scope: 'user' })).toBe(409)
    const again = edit('b.txt', 'line 3')
    // Nothing is remembered of a late always: the next call asks.
    const [next] = await waiting(1)
    await answer(next?.id ?? '', { answer: 'no', digest: next?.digest })
    expect([await again, files()]).toMatchObject([{ ok: false }, [landed, lines]])
  })

  it('whose token is revoked meanwhile lands nothing unless a person says yes', async () => {
    const made = edit('a.txt', 'line 2')
    const [question] = await waiting(1)
    for (const { name } of http.current.tokens.list()) http.current.tokens.revoke(name)
    expect(files()).toEqual([lines, lines])
    expect(await answer(question?.id ?? '', { answer: 'no', digest: question?.digest })).toBe(200)
    expect([await made, files()]).toMatchObject([{ ok: false }, [lines, lines]])
  })
})
