import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { workspaceState } from '../../src/machine/state/directory.ts'
import { openPendingApprovals } from '../../src/machine/state/pending-approvals.ts'
import { createMcpServer } from '../../src/mcp.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { connect, connectTo, type Connected, type ConnectOptions, type Shown } from './connect.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
})
afterEach(() => workspace.remove())

const note = (path: string) => ({ path, content: 'hello\n', expect: 'absent' })
const exists = (path: string) => existsSync(join(workspace.path, path))
/** Longer than it takes to read a question, as far as the server is concerned. */
const read = () => pause(600)

describe.each<NonNullable<ConnectOptions['protocol']>>(['modern', '2025-06-18'])(
  'approval by elicitation in the protocol %s',
  protocol => {
    /** One server for all that a person answers once: nothing is remembered of it. */
    let asked: Connected
    let place: TemporaryWorkspace
    let elicit: NonNullable<ConnectOptions['elicit']>
    beforeAll(async () => {
      place = temporaryWorkspace()
      asked = await connect(place, { protocol, elicit: question => elicit(question) })
    })
    afterAll(async () => {
      await asked.client.close()
      await place.remove()
    })
    afterEach(() => {
      for (const name of readdirSync(place.path)) rmSync(join(place.path, name))
    })

    it('does what a person approved, and not what they refused', async () => {
      const shown: Shown[] = []
      elicit = async question => {
        shown.push(question)
        await read()
        return question.message.includes('no.md')
          ? { action: 'decline' }
          : { action: 'accept', content: { answer: 'yes' } }
      }
      const approved = await asked.call('write', note('yes.md'))
      expect(approved).toMatchObject({ isError: false, structured: { ok: true, meta: { changed: ['yes.md'] } } })
      expect(place.read('yes.md')).toBe('hello\n')

      const refused = await asked.call('write', note('no.md'))
      expect(refused).toMatchObject({ isError: true, structured: { error: { code: 'rejected' } } })
      expect(refused.structured.error.message).toBe("'toolwright/write' was not approved")
      expect(refused.structured.error.details).toEqual({ by: 'test-client' })
      expect(Object.keys(place.snapshot())).toEqual(['yes.md'])

      expect(shown).toHaveLength(2)
      expect(shown[0]?.message).toMatch(
        /^write yes\.md \(\+1 −0\)\n\+hello\nCould happen: creates yes\.md\nWhy: .* · Always means: /,
      )
      expect(shown[0]?.fields).toMatchObject({ answer: { description: expect.stringContaining('+++ b/yes.md') } })
      expect(shown[0]?.message).not.toContain('Approve?')
      expect(shown[0]?.fields).toMatchObject({ answer: { enum: ['yes', 'no', 'always'] } })
    })

    it.each([
      ['no', { action: 'accept', content: { answer: 'no' } }],
      ['a cancelled form', { action: 'cancel' }],
    ] as const)('takes %s for a no', async (_what, reply) => {
      elicit = () => read().then(() => reply)
      const { structured } = await asked.call('write', note('b.md'))
      expect(structured.error.message).toBe("'toolwright/write' was not approved")
      expect(place.snapshot()).toEqual({})
    })

    it.each([
      ['an instant decline', { action: 'decline' }, 'did not show the question'],
      ['an instant cancel', { action: 'cancel' }, 'did not show the question'],
      ['an empty form', { action: 'accept', content: {} }, 'sent the form back without an answer'],
      ['a form without content', { action: 'accept' }, 'sent the form back without an answer'],
      ['another word', { action: 'accept', content: { answer: 'y' } }, 'sent the form back without an answer'],
    ] as const)('takes %s for no answer at all, and says how to allow it', async (_what, reply, words) => {
      elicit = () => reply
      let { structured, isError } = await asked.call('write', note('b.md'))
      // On a busy machine it may come as late as a person's would, and is one then.
      for (let more = 0; more < 50 && structured.error.message === "'toolwright/write' was not approved"; more++)
        ({ structured, isError } = await asked.call('write', note('b.md')))
      expect([isError, structured.error.code]).toEqual([true, 'rejected'])
      expect(structured.error.message).toContain(`needs approval, but 'test-client' ${words}`)
      expect(structured.error.hint).toContain("--allow 'fs:create:b.md'")
      expect(place.snapshot()).toEqual({})
    })

    it('lets another process answer: the call ends, and a later answer of the form changes nothing', async () => {
      const { promise: isShown, resolve: show } = Promise.withResolvers<void>()
      const { promise: late, resolve: answerLate } = Promise.withResolvers<void>()
      elicit = async () => {
        show()
        await late
        return { action: 'accept', content: { answer: 'yes' } }
      }
      const call = asked.call('write', note('elsewhere.md'))
      await isShown
      const state = workspaceState(place.path, place.env)
      const list = openPendingApprovals(state.pending)
      let [question] = list.list()
      for (; !question; [question] = list.list()) await pause(20)
      expect(question.asker).toMatchObject({ client: 'test-client', contract: 'toolwright', tool: 'write' })
      list.answer(question.id, { answer: 'no', reason: 'not here', digest: question.digest }, 'ann (approve)')
      // In the newer protocol the result waits for the client, which comes with its answer.
      if (protocol === 'modern') answerLate()
      const { structured, text } = await call
      expect(structured.error).toMatchObject({ code: 'rejected', details: { by: 'ann (approve)', reason: 'not here' } })
      if (protocol === 'modern') expect(text).toContain('This answer came second: ann (approve) had answered no.')
      answerLate()
      await read()
      list.close()
      expect(Object.keys(place.snapshot())).toEqual([])
    })

    it('remembers what always means, and asks no more for that', async () => {
      let count = 0
      await using server = await connect(workspace, {
        protocol,
        elicit() {
          count++
          return { action: 'accept', content: { answer: 'always' } }
        },
      })
      expect((await server.call('write', note('b.md'))).isError).toBe(false)
      const { data } = (await server.call('read', { path: 'b.md' })).structured
      const again = await server.call('write', { path: 'b.md', content: 'again\n', expect: data.hash })
      expect([again.isError, workspace.read('b.md')]).toEqual([false, 'again\n'])
      expect(count).toBeLessThanOrEqual(2)
    })

    it('asks for calls side by side, each for its own', async () => {
      elicit = ({ message }) => ({
        action: 'accept',
        content: { answer: message.startsWith('write good') ? 'yes' : 'no' },
      })
      const paths = ['good1', 'bad1', 'good2', 'bad2']
      const answers = await Promise.all(paths.map(path => asked.call('write', note(path))))
      expect(answers.map(({ isError }) => isError)).toEqual([false, true, false, true])
      expect(Object.keys(place.snapshot())).toEqual(['good1', 'good2'])
    })

    it('is not asked where the client cannot, and the refusal says so', async () => {
      await using server = await connect(workspace, { protocol })
      const { structured } = await server.call('write', note('b.md'))
      expect(structured.error.message).toContain("'test-client' cannot show questions")
      expect(structured.error.hint).toContain("--allow 'fs:create:b.md'")
    })

    it('is not needed for what was allowed beforehand', async () => {
      await using server = await connect(workspace, { protocol, args: ['--allow', 'fs:write:**'] })
      expect((await server.call('write', note('b.md'))).isError).toBe(false)
    })
  },
)

describe('a question', () => {
  it('without an answer in time is a no', async () => {
    const kit = await workspace.open()
    await using server = await connectTo(await createMcpServer(kit, { approvalMs: 50 }), {
      elicit: () => new Promise(() => {}),
    })
    const { structured } = await server.call('write', note('b.md'))
    expect(structured.error.message).toContain('no one answered within')
  })

  it('that the client fails at is a no', async () => {
    const kit = await workspace.open()
    await using server = await connectTo(await createMcpServer(kit), {
      elicit: () => Promise.reject(new Error('no window')),
    })
    const { structured } = await server.call('write', note('b.md'))
    expect(structured.error.message).toContain("'test-client' could not show the question")
  })

  it('is not asked about a command that cannot start, and tells nothing of places that may not be read', async () => {
    await using place = temporaryWorkspace({ 'a.txt': 'one\n', 'vault/deep/key.txt': 'k\n', 'src/b.txt': 'b\n' })
    place.write(
      '../config/config.json',
      JSON.stringify({ policy: { rules: [{ action: 'read', path: 'vault/**', verdict: 'deny' }] } }),
    )
    const shown: string[] = []
    await using server = await connectTo(await createMcpServer(await place.open()), {
      async elicit({ message }) {
        shown.push(message)
        await read()
        return { action: 'accept', content: { answer: 'no' } }
      },
    })
    const told = async (input: object) => (await server.call('run', input)).text.split('\n', 1)[0]
    expect(await told({ command: 'ls', cwd: 'absent' })).toBe("not_found: 'absent' is not there")
    expect(await told({ argv: ['ls'], cwd: 'a.txt' })).toBe("not_a_directory: 'a.txt' is not a directory")
    expect(await told({ command: 'ls', cwd: 'src/..//../..' })).toMatch(/^outside_workspace: /)
    expect(await told({ command: ' ' })).toBe('invalid_input: The command is empty')
    expect(shown).toEqual([])
    for (const cwd of ['src', 'vault/deep', 'vault/absent'])
      expect(await told({ command: 'ls', cwd })).toBe("rejected: 'toolwright/run' was not approved")
    expect(shown.map(message => message.split('\n', 1)[0])).toEqual([
      'run in src: ls',
      'run in vault/deep: ls',
      'run in vault/absent: ls',
    ])
  })

  it('is not asked about a background command without a repository, or an address that only a rule opens', async () => {
    let asked = 0
    await using server = await connectTo(await createMcpServer(await workspace.open()), {
      async elicit() {
        asked++
        await read()
        return { action: 'accept', content: { answer: 'no' } }
      },
    })
    const told = async (tool: string, input: object) => (await server.call(tool, input)).text
    expect(await told('run', { command: 'sleep 1', background: true })).toMatch(
      /^unavailable: .* no repository of its own to protect\n.*git init/,
    )
    for (const url of [
      'http://127.0.0.1:8080/',
      'http://localhost:8080/',
      'http://[::1]:8080/',
      'http://a.example:22/',
    ])
      expect(await told('fetch', { url })).toMatch(/^denied: Refused: .*only a rule that names \S+ opens it\n.*'net:/)
    expect(asked).toBe(0)
    expect(await told('fetch', { url: 'https://a.example/' })).toMatch(/^rejected: /)
    expect(await told('run', { command: 'sleep 1' })).toMatch(/^rejected: /)
    expect(asked).toBe(2)
  })

  it('shows every line that changes, both ends of a move, and what could happen', async () => {
    await using place = temporaryWorkspace({ 's.sql': '-- drop it\nselect 1;\n', 'f.txt': 'x\n', 'b.txt': 'a\nb' })
    const shown: (readonly string[])[] = []
    await using server = await connectTo(await createMcpServer(await place.open()), {
      name: 'claude-code',
      elicit({ message }) {
        shown.push(message.split('\n'))
        return { action: 'accept', content: { answer: 'no' } }
      },
    })
    await server.call('edit', { path: 's.sql', edits: [{ old: '-- drop it\n', new: '-- keep it\n' }] })
    await server.call('move', { from: 'f.txt', to: 'h.txt' })
    await server.call('write', { path: 'n.txt', content: '\nhello\n', expect: 'absent' })
    await server.call('edit', { path: 'b.txt', edits: [{ old: 'b', new: 'b\nc\n' }] })
    await server.call('run', { command: `npm test && echo ${'a'.repeat(200)}` })
    expect(shown.map(lines => lines.slice(0, -1))).toEqual([
      ['edit s.sql (+1 −1)', '--- drop it', '+-- keep it'],
      ['move f.txt → h.txt', 'Could happen: moves f.txt to h.txt', expect.stringMatching(/^Why: /)],
      ['write n.txt (+2 −0)', '+hello', 'Could happen: creates n.txt'],
      ['edit b.txt (+1 −0)', '+c', 'Could happen: changes b.txt'],
      [
        expect.stringMatching(/^run npm test/),
        'Could happen: runs code, which may change files of the workspace',
        expect.stringMatching(/^Why: 'npm test': no rule/),
      ],
    ])
    expect(shown[0]?.[3]).toMatch(/^Could happen: changes s\.sql · Why: no rule/)
  })

  it('is answered only by the retry of its own call', async () => {
    await using server = await connect(workspace, { elicit: () => ({ action: 'decline' }) })
    const raw = (params: object) =>
      server.client.request({ method: 'tools/call', params: { ...params } }, { allowInputRequired: true })
    const call = (path: string, more: object = {}) => raw({ name: 'write', arguments: note(path), ...more })
    const { requestState, inputRequests } = Object(await call('b.md'))
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map(id => [id, { action: 'accept', content: { answer: 'yes' } }]),
    )
    await expect(call('other.md', { requestState, inputResponses })).rejects.toThrow(/expired requestState/)
    await expect(call('b.md', { requestState: 'made-up', inputResponses })).rejects.toThrow(/expired requestState/)
    expect(await call('b.md', { requestState, inputResponses })).toMatchObject({ structuredContent: { ok: true } })
    await expect(call('b.md', { requestState, inputResponses })).rejects.toThrow(/expired requestState/)
    expect([exists('b.md'), exists('other.md')]).toEqual([true, false])
  })
})
