// oxlint-disable vitest/no-standalone-expect -- the rule does not see that `needs` gives an `it`
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import { needs } from '../../needs.ts'
import { calls, FILES, load, server, SLEEP, sleepIsGone, sleepRuns } from './library.ts'

const { createMCPClient, ElicitationRequestSchema } = load('@ai-sdk/mcp')
const { StdioMCPTransport } = load('@ai-sdk/mcp/mcp-stdio')

let workspace: TemporaryWorkspace
let answer = 'no'
const connect = async (...args: readonly string[]) => {
  const transport = new StdioMCPTransport(server(workspace, ...args))
  const client = await createMCPClient({ transport, capabilities: { elicitation: {} } })
  client.onElicitationRequest(ElicitationRequestSchema, () => ({ action: 'accept', content: { answer } }))
  const tools = await client.tools()
  return {
    tools,
    call: (name: string, input: object, more?: { abortSignal: AbortSignal }) =>
      tools[name].execute(input, { toolCallId: '1', messages: [], ...more }),
    close: () => client.close(),
  }
}
let client: Awaited<ReturnType<typeof connect>>

beforeAll(async () => {
  workspace = temporaryWorkspace(FILES)
  client = await connect('--structured', 'always', '--allow', 'exec')
})
afterAll(async () => {
  await client.close()
  await workspace.remove()
})

/** What a model gets to see of a result. */
const shown = (output: object) => client.tools['read'].toModelOutput({ toolCallId: '1', input: {}, output })

describe('@ai-sdk/mcp', () => {
  it('makes a tool of every tool that is listed', () => {
    expect(Object.keys(client.tools)).toEqual(expect.arrayContaining(['read', 'edit', 'run']))
  })

  it('calls a tool, and shows a model the text of it alone', async () => {
    const answered = await client.call('read', calls.read.input)
    expect(answered.structuredContent).toMatchObject({ ok: true, data: { content: 'one\ntwo\n' } })
    const text = expect.stringMatching(calls.read.text)
    expect(shown(answered)).toEqual({ type: 'content', value: [{ type: 'text', text }] })
  })

  it('gets the text alone with --structured never', async () => {
    const plain = await connect('--structured', 'never')
    const answered = await plain.call('read', calls.read.input)
    await plain.close()
    expect(answered.content).toEqual([{ type: 'text', text: expect.stringMatching(calls.read.text) }])
    expect(answered).not.toHaveProperty('structuredContent')
  })

  it('gets a failure as a result with isError, and shows a model why', async () => {
    const failed = await client.call('read', calls.readMissing.input)
    expect(failed).toMatchObject({ isError: true, structuredContent: { error: { code: 'not_found' } } })
    expect(shown(failed)).toMatchObject({ value: [{ text: expect.stringContaining(calls.readMissing.text) }] })
  })

  it('makes an edit that a person approves, and not one that they refuse', async () => {
    answer = 'yes'
    expect(await client.call('edit', calls.editOne.input)).toMatchObject({ isError: false })
    answer = 'no'
    expect(await client.call('edit', calls.editTwo.input)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'rejected' } },
    })
    expect(workspace.read('a.txt')).toBe('ONE\ntwo\n')
  })

  // It sends no `notifications/cancelled`: only the end of the connection ends the command.
  needs('bubblewrap')('gives a command up by a signal, and ends it when it closes', async () => {
    const other = await connect('--allow', 'exec')
    const controller = new AbortController()
    const command = other.call('run', { command: SLEEP }, { abortSignal: controller.signal })
    await sleepRuns()
    controller.abort()
    await expect(command).rejects.toThrow('aborted')
    expect(await other.call('list', {})).toMatchObject({ isError: false })
    await sleepRuns()
    await other.close()
    await sleepIsGone()
  })
})
