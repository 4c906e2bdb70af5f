import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/machine/state/tokens.ts'
import { ROUTES } from '../../src/surfaces/http/routes/table.ts'
import { serveTest, type ServedTest } from './rig.ts'

let http: ServedTest
let commit: string
let transaction: string

/** A commit of a task and an agent, and a transaction with a staged file. Nothing is allowed without an answer. */
beforeAll(async () => {
  http = await serveTest({ 'a.txt': 'one\n' })
  const post = (path: string, body: object) => http.json('POST', path, { body })
  const named = { task: 'a-task', agent: 'an-agent', confirmed: true }
  const made = await post('/v1/calls', { ...create('landed.txt'), ...named })
  commit = made.meta.undo
  transaction = (await post('/v1/transactions', {})).data.transaction
  await post('/v1/calls', { ...create('staged.txt'), transaction, confirmed: true })
})
afterAll(() => http.stop())

const create = (path: string) => ({ tool: 'write', input: { path, content: 'x\n', expect: 'absent' } })

/** Requests that would change the workspace, or what is staged, by the id of their route. */
const REQUESTS: Readonly<Record<string, () => readonly [path: string, body?: object]>> = {
  makeCall: () => ['/v1/calls', create('b.txt')],
  undoCommit: () => [`/v1/commits/${commit}/undo`],
  undoTask: () => ['/v1/tasks/a-task/undo'],
  undoAgent: () => ['/v1/agents/an-agent/undo'],
  undoCommits: () => ['/v1/undo', { commits: [commit] }],
  validateTransaction: () => [`/v1/transactions/${transaction}/validate`],
  rollbackTransaction: () => [`/v1/transactions/${transaction}/rollback`],
  commitTransaction: () => [`/v1/transactions/${transaction}/commit`],
}

const ask = async (route: string, token: string, more: object) => {
  const [path = '', body = {}] = REQUESTS[route]?.() ?? []
  const response = await http.request('POST', path, { token, body: { ...body, ...more } })
  return { status: response.status, answer: Object(await response.json()) }
}
const state = async () => [
  http.workspace.snapshot(),
  await http.json('GET', '/v1/transactions'),
  http.kit.workspace.journal.head(),
]

it('each route that takes confirmed is here', () => {
  const confirming = ROUTES.filter(({ body }) => body !== undefined && 'confirmed' in Object(Object(body).shape))
  expect(confirming.map(({ id }) => id).toSorted()).toEqual(Object.keys(REQUESTS).toSorted())
})

describe.each(Object.keys(REQUESTS))('confirmed in a request to %s', route => {
  it.each<readonly Scope[][]>([[['call']], [['read', 'call']]])(
    'of a token without approve is refused, and nothing changes (%j)',
    async scopes => {
      const token = http.client(...scopes)
      const before = await state()
      for (const more of [{}, { task: 'a-task' }, { dryRun: true }]) {
        const { status, answer } = await ask(route, token, { confirmed: true, ...more })
        // Some routes have no such field.
        expect([more, status]).toEqual([more, answer.error?.code === 'invalid_input' ? 400 : 403])
      }
      expect((await ask(route, token, { confirmed: true })).answer.error.message).toContain("the scope 'approve'")
      for (const confirmed of ['true', 1, [true], null])
        expect([confirmed, (await ask(route, token, { confirmed })).status]).toEqual([confirmed, 400])
      expect(await state()).toEqual(before)
    },
  )

  it('of a token that may only approve is refused', async () => {
    const before = await state()
    expect((await ask(route, http.client('approve'), { confirmed: true })).status).toBe(403)
    expect(await state()).toEqual(before)
  })
})

describe.each(['makeCall', 'undoCommit', 'undoTask', 'undoAgent', 'undoCommits', 'commitTransaction'])(
  '%s without confirmed',
  route => {
    it('asks, and nobody answers: nothing lands', async () => {
      const before = http.workspace.snapshot()
      const { answer } = await ask(route, http.client('call'), {})
      expect((answer.answers?.[0] ?? answer).error.code).toBe('rejected')
      expect(http.workspace.snapshot()).toEqual(before)
    })
  },
)

it('confirmed of a token with approve lands what was asked', async () => {
  const token = http.client('call', 'approve')
  for (const route of ['makeCall', 'undoAgent', 'commitTransaction'])
    expect([route, (await ask(route, token, { confirmed: true })).status]).toEqual([route, 200])
  expect(Object.keys(http.workspace.snapshot())).toEqual(['a.txt', 'b.txt', 'staged.txt'])
})
