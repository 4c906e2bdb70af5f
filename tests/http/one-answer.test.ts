import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { connect, type Connected } from '../mcp/connect.ts'
import { nextQuestion, startCommand, startServing, type ServingProcess } from './process.ts'

const ROUNDS = process.env['TOOLWRIGHT_LONG'] === '1' ? 200 : 20
/** A terminal takes about so long to start, and the others must not always be first. */
const MOST_LATE_MS = 600

let workspace: TemporaryWorkspace
let server: ServingProcess
let client: Connected
/** The form of the client shows a question until this answers it. */
let form: PromiseWithResolvers<'yes' | 'no'>
beforeAll(async () => {
  workspace = temporaryWorkspace()
  server = await startServing(workspace)
  client = await connect(workspace, {
    protocol: '2025-11-25',
    name: 'the client',
    elicit: async () => ({ action: 'accept', content: { answer: await form.promise } }),
  })
})
afterAll(async () => {
  await client.client.close()
  await server.stop()
  await workspace.remove()
})

interface Try {
  readonly answer: 'yes' | 'no'
  /** What it was told, if another answer was first. */
  readonly refusal: string | undefined
}

async function byTerminal(id: string, answer: 'yes' | 'no', reason: string): Promise<Try> {
  const { code, out } = await startCommand(workspace, ['approve', id, `--${answer}`, '--reason', reason]).ended
  return { answer, refusal: code === 0 ? undefined : out }
}

async function byHttp(
  { id, digest }: { readonly id: string; readonly digest: string },
  answer: 'yes' | 'no',
): Promise<Try> {
  const response = await server.request('POST', `/v1/approvals/${id}`, { answer, digest, reason: 'http' })
  return { answer, refusal: response.status === 200 ? undefined : `${response.status} ${await response.text()}` }
}

/** The same sequence for each run with this seed. */
function random(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
}

describe('two terminals, an MCP client and HTTP that answer one question', () => {
  it(`are one winner and three who learn who it was, ${ROUNDS} times`, async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    const next = random(seed)
    const winners: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const at = `seed ${seed}, round ${round}`
      const path = `${round}.txt`
      form = Promise.withResolvers()
      const call = client.call('write', { path, content: 'x', expect: 'absent' })
      const question = await nextQuestion(server)
      const answers = Array.from({ length: 4 }, () => (next() < 0.5 ? 'yes' : 'no'))
      const [first = 'no', second = 'no', third = 'no', fourth = 'no'] = answers as readonly ('yes' | 'no')[]
      const late = () => pause(next() * MOST_LATE_MS)
      const tries = await Promise.all([
        byTerminal(question.id, first, 'one'),
        byTerminal(question.id, second, 'two'),
        late().then(() => byHttp(question, third)),
        late().then(() => form.resolve(fourth)),
      ])
      const { structured } = await call
      const others = tries.filter(each => each !== undefined)
      const { answer: accepted } = await server.question(question.id)
      if (!accepted) throw new Error(`${at}: nobody has answered`)
      const winner = accepted.reason ?? 'form'
      winners.push(winner)
      const names = ['one', 'two', 'http']
      // Exactly one answer counts, and each of the others is told whose.
      const losers = others.filter((_, each) => names[each] !== winner)
      expect([at, others.filter(({ refusal }) => refusal === undefined).length]).toEqual([
        at,
        winner === 'form' ? 0 : 1,
      ])
      for (const { refusal } of losers)
        expect([at, refusal]).toEqual([
          at,
          expect.stringContaining(`was answered ${accepted.answer} by ${accepted.by}`),
        ])
      expect([at, accepted.by]).toEqual([
        at,
        expect.stringMatching({ http: /\(http\)$/, form: /the client/ }[String(winner)] ?? /\(approve\)$/),
      ])
      // What was answered is what happened.
      const wanted = { one: first, two: second, http: third, form: fourth }[String(winner)]
      expect([at, accepted.answer, structured.ok]).toEqual([at, wanted, wanted === 'yes'])
      expect([at, path in workspace.snapshot()]).toEqual([at, wanted === 'yes'])
      if (wanted === 'no') expect(structured.error.details).toMatchObject({ by: accepted.by })
    }
    // Every way can be first; in a few rounds not each of them needs to be.
    expect(new Set(winners).size).toBeGreaterThan(ROUNDS > 100 ? 2 : 1)
    expect(await server.questions()).toEqual([])
  }, 600_000)
})
