// oxlint-disable vitest/no-standalone-expect -- the rule does not see that `needs` gives an `it`
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import { needs } from '../../needs.ts'
import { calls, FILES, load, server, SLEEP, sleepIsGone, sleepRuns } from './library.ts'

const { MultiServerMCPClient } = load('@langchain/mcp-adapters')

let workspace: TemporaryWorkspace
const connect = async (...args: readonly string[]) => {
  const toolwright = { transport: 'stdio', ...server(workspace, ...args) }
  const client = new MultiServerMCPClient({ mcpServers: { toolwright } })
  const tools: readonly { name: string; invoke: (input: object, config?: object) => Promise<unknown> }[] =
    await client.getTools()
  return {
    names: tools.map(({ name }) => name),
    call: async (name: string, input: object, config?: object) =>
      tools.find(tool => tool.name === name)?.invoke(input, config),
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

/** A call as an agent makes it, whose answer is the message that a model reads. */
const fromModel = { type: 'tool_call', id: '1', name: 'read', args: calls.read.input }

describe('@langchain/mcp-adapters', () => {
  it('makes a tool of every tool that is listed', () => {
    expect(client.names).toEqual(expect.arrayContaining(['read', 'edit', 'run']))
  })

  it('calls a tool, and gets structured content besides the text', async () => {
    expect(await client.call('read', calls.read.input)).toMatchObject({
      text: expect.stringMatching(calls.read.text),
      structuredContent: { ok: true, data: { content: 'one\ntwo\n' } },
    })
  })

  // It hands a model structured content and text together as JSON: only the text alone stays as it is.
  it.each([
    ['unless told otherwise', []],
    ['with --structured never', ['--structured', 'never']],
  ])('shows a model the text as it is %s', async (_when, args) => {
    const plain = await connect(...args)
    const message = await plain.call('read', fromModel)
    await plain.close()
    expect(message).toMatchObject({ status: 'success', content: expect.stringMatching(calls.read.text) })
  })

  it('throws a failure with its reason', async () => {
    await expect(client.call('read', calls.readMissing.input)).rejects.toMatchObject({
      name: 'ToolException',
      message: expect.stringContaining(calls.readMissing.text),
    })
  })

  it('is refused an edit that needs approval, because it cannot show questions', async () => {
    const message = await client.call('edit', calls.editOne.input).catch(String)
    expect(message).toContain("'toolwright/edit' needs approval, but '@langchain/mcp-adapters' cannot show questions")
    expect(message).toContain("--allow 'fs:write:a.txt'")
    expect(workspace.read('a.txt')).toBe(FILES['a.txt'])
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
