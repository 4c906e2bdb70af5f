// oxlint-disable vitest/no-standalone-expect -- the rule does not see that `needs` gives an `it`
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import { needs } from '../../needs.ts'
import { connect } from '../connect.ts'
import { calls, FILES, load, server, SLEEP, sleepIsGone, sleepRuns } from './library.ts'

type Connect = (
  workspace: TemporaryWorkspace,
  args: readonly string[],
  elicit: () => { action: 'accept'; content: { answer: string } },
) => ReturnType<typeof connectSdk1>

/** The official SDK before it was split, with the protocol of 2025-11-25. */
const connectSdk1 = async (...[workspace, args, elicit]: Parameters<Connect>) => {
  const { Client } = load('@modelcontextprotocol/sdk/client/index.js')
  const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js')
  const { ElicitRequestSchema } = load('@modelcontextprotocol/sdk/types.js')
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, elicit)
  await client.connect(new StdioClientTransport(server(workspace, ...args)))
  return {
    list: () => client.listTools(),
    call: (name: string, input: object, options?: { signal: AbortSignal }) =>
      client.callTool({ name, arguments: input }, undefined, options),
    close: () => client.close(),
  }
}

/** The official client of today, with the protocol of 2026-07-28. */
const connectClient2: Connect = async (workspace, args, elicit) => {
  const { client } = await connect(workspace, { args, elicit })
  return {
    list: () => client.listTools(),
    call: (name, input, options) => client.callTool({ name, arguments: { ...input } }, options),
    close: () => client.close(),
  }
}

describe.each<[name: string, connectLibrary: Connect]>([
  ['@modelcontextprotocol/sdk 1.x', connectSdk1],
  ['@modelcontextprotocol/client 2.x', connectClient2],
])('%s', (_name, connectLibrary) => {
  let workspace: TemporaryWorkspace
  let client: Awaited<ReturnType<Connect>>
  let answer = 'no'
  const open = (...args: readonly string[]) =>
    connectLibrary(workspace, args, () => ({ action: 'accept', content: { answer } }))

  beforeAll(async () => {
    workspace = temporaryWorkspace(FILES)
    client = await open('--structured', 'always', '--allow', 'exec')
  })
  afterAll(async () => {
    await client.close()
    await workspace.remove()
  })

  it('lists the tools with the schemas of their answers', async () => {
    const { tools } = await client.list()
    expect(tools).toContainEqual(
      expect.objectContaining({ name: 'read', inputSchema: expect.anything(), outputSchema: expect.anything() }),
    )
  })

  it('calls a tool, and gets structured content besides the text', async () => {
    const { content, structuredContent } = await client.call('read', calls.read.input)
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(calls.read.text) }])
    expect(structuredContent).toMatchObject({ ok: true, data: { content: 'one\ntwo\n' } })
  })

  it('gets the text alone with --structured never', async () => {
    const plain = await open('--structured', 'never')
    const answered = await plain.call('read', calls.read.input)
    await plain.close()
    expect(answered.content).toEqual([{ type: 'text', text: expect.stringMatching(calls.read.text) }])
    expect(answered).not.toHaveProperty('structuredContent')
  })

  it('gets a failure as a result with isError', async () => {
    expect(await client.call('read', calls.readMissing.input)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(calls.readMissing.text) }],
      structuredContent: { ok: false, error: { code: 'not_found' } },
    })
  })

  it('makes an edit that a person approves, and not one that they refuse', async () => {
    answer = 'yes'
    expect(await client.call('edit', calls.editOne.input)).toMatchObject({ structuredContent: { ok: true } })
    answer = 'no'
    expect(await client.call('edit', calls.editTwo.input)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'rejected' } },
    })
    expect(workspace.read('a.txt')).toBe('ONE\ntwo\n')
  })

  needs('bubblewrap')('cancels a command by a signal, and the next call is answered', async () => {
    const controller = new AbortController()
    const command = client.call('run', { command: SLEEP }, { signal: controller.signal })
    await sleepRuns()
    controller.abort()
    await expect(command).rejects.toThrow('aborted')
    await sleepIsGone()
    expect(await client.call('list', {})).toMatchObject({ structuredContent: { ok: true } })
  })
})
