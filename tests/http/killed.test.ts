import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { nextQuestion, startCommand, startServing, type ServingProcess } from './process.ts'

const ROUNDS = process.env['TOOLWRIGHT_LONG'] === '1' ? 40 : 4

let workspace: TemporaryWorkspace
let server: ServingProcess
beforeEach(async () => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
  server = await startServing(workspace)
})
afterEach(async () => {
  await server.stop()
  await workspace.remove()
})

const EDIT = { path: 'a.txt', edits: [{ old: 'one', new: 'uno' }] }
const CALL = ['call', 'edit', JSON.stringify(EDIT), '--wait-for-approval', '5m', '--json']
const content = () => workspace.read('a.txt')

/** The call as a process of its own. */
const byCommand = () => startCommand(workspace, CALL)

/** The call over HTTP: the server itself is the asker. A server that is killed answers nothing. */
const byHttp = () =>
  server.request('POST', '/v1/calls', { tool: 'edit', input: EDIT }).then(
    response => response.json(),
    () => undefined,
  )

const answer = ({ id, digest }: { readonly id: string; readonly digest: string }, given: 'yes' | 'no') =>
  server.request('POST', `/v1/approvals/${id}`, { answer: given, digest })

const restart = async (): Promise<void> => void (server = await startServing(workspace))

describe('kill -9 while a question is open', () => {
  it('of the asker: the question is closed, and nothing lands', async () => {
    const { child, ended } = byCommand()
    const question = await nextQuestion(server)
    child.kill('SIGKILL')
    await ended
    const response = await answer(question, 'yes')
    expect([response.status, await response.text()]).toEqual([
      409,
      expect.stringContaining('the program that asked has ended'),
    ])
    expect([await server.questions(), content()]).toEqual([[], 'one\n'])
  })

  it('of the server: the question of another program stays, and the next server answers it', async () => {
    const { ended } = byCommand()
    const question = await nextQuestion(server)
    await server.kill()
    await restart()
    expect((await server.questions()).map(({ id }) => id)).toEqual([question.id])
    expect((await answer(question, 'yes')).status).toBe(200)
    expect([(await ended).code, content()]).toEqual([0, 'uno\n'])
  })

  it('of the server that asks itself: nothing lands, and the next server knows that it was closed', async () => {
    const call = byHttp()
    const question = await nextQuestion(server)
    await server.kill()
    expect(await call).toBeUndefined()
    await restart()
    expect(await server.questions()).toEqual([])
    expect((await server.question(question.id)).state).toBe('abandoned')
    expect(content()).toBe('one\n')
  })

  it('of both, after a yes that was not used: the same call uses it, once', async () => {
    const { child, ended } = byCommand()
    const question = await nextQuestion(server)
    child.kill('SIGSTOP')
    expect((await answer(question, 'yes')).status).toBe(200)
    await server.kill()
    child.kill('SIGKILL')
    await ended
    expect(content()).toBe('one\n')
    await restart()
    expect([(await byCommand().ended).code, content()]).toEqual([0, 'uno\n'])
    workspace.write('a.txt', 'one\n')
    const again = byCommand()
    const second = await nextQuestion(server)
    await answer(second, 'no')
    expect([(await again.ended).code, content()]).toEqual([3, 'one\n'])
  })
})

describe('kill -9 at any moment around a yes', () => {
  it(`lands nothing that was not accepted, and loses nothing that was, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      workspace.write('a.txt', 'one\n')
      const call = byHttp()
      const question = await nextQuestion(server)
      const accepted = answer(question, 'yes').then(
        ({ status }) => status === 200,
        () => undefined,
      )
      await pause((round % 16) * 3)
      await server.kill()
      const [isAccepted] = await Promise.all([accepted, call])
      await restart()
      const { state, answer: entered } = await server.question(question.id)
      // An answer that the client was told of is stored; without one in the list nothing landed.
      if (isAccepted) expect([round, state]).toEqual([round, 'answered'])
      if (content() === 'uno\n') expect([round, entered?.answer]).toEqual([round, 'yes'])
      if (content() === 'one\n' && state === 'answered') {
        expect([round, Object(await byHttp()).ok, content()]).toEqual([round, true, 'uno\n'])
      }
      expect([round, await server.questions()]).toEqual([round, []])
    }
  }, 600_000)
})
