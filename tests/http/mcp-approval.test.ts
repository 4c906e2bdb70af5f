import type { Client, ElicitResult } from '@modelcontextprotocol/client'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { mcpClient, textOf } from './mcp-client.ts'
import { useServer } from './rig.ts'

const rules = [{ action: 'net', verdict: 'ask', always: true }]
const http = useServer({ 'a.txt': 'one\n' }, { approvalMs: 60_000, config: { policy: { rules } } })

/** A client that answers every form so, after this time. */
const asked = (protocol: '2025-11-25' | undefined, action: ElicitResult['action'], afterMs: number) => {
  const forms = vi.fn<(message: string) => void>()
  const prepare = (client: Client) =>
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      forms(params.message)
      await pause(afterMs)
      return action === 'accept' ? { action, content: { answer: 'yes' } } : { action }
    })
  const client = mcpClient(http.current, { ...(protocol && { protocol }), capabilities: { elicitation: {} }, prepare })
  return { client, forms }
}

const write = (client: Client, content: string) =>
  client.callTool({ name: 'write', arguments: { path: 'b.txt', content, expect: 'absent' } })

describe.each([undefined, '2025-11-25'] as const)('a question over protocol %s', protocol => {
  it('is shown by the client, and its answer counts', async () => {
    const { client, forms } = asked(protocol, 'accept', 700)
    expect((await write(await client, 'b\n')).isError).toBeUndefined()
    expect([forms.mock.calls.length, http.current.workspace.read('b.txt')]).toEqual([1, 'b\n'])
    await (await client).close()
  })

  it('is refused by a person who took the time to read it', async () => {
    const { client, forms } = asked(protocol, 'decline', 700)
    expect(textOf(await write(await client, 'b\n'))).toMatch(/refused|rejected|no/i)
    expect([forms.mock.calls.length, Object.keys(http.current.workspace.snapshot())]).toEqual([1, ['a.txt']])
    await (await client).close()
  })

  it.each(['cancel', 'decline'] as const)(
    'that is answered with %s at once was not shown: it waits in the list',
    async action => {
      const { client, forms } = asked(protocol, action, 0)
      const answer = write(await client, 'b\n')
      let questions: { id: string; digest: string; asker: { client: string } }[] = []
      await expect
        .poll(async () => (questions = (await http.current.json('GET', '/v1/approvals')).approvals).length)
        .toBe(1)
      await pause(300)
      const [question] = questions
      expect(question?.asker.client).toContain('test-client, ')
      await http.current.json('POST', `/v1/approvals/${question?.id}`, {
        body: { answer: 'yes', digest: question?.digest },
      })
      expect(textOf(await answer)).toMatch(/^write/)
      expect([forms.mock.calls.length, http.current.workspace.read('b.txt')]).toEqual([1, 'b\n'])
      await (await client).close()
    },
  )
})

it('a tool that a rule always asks about says so', async () => {
  const client = await mcpClient(http.current)
  const { tools } = await client.listTools()
  const marked = tools.filter(({ _meta: meta }) => meta?.['anthropic/requiresUserInteraction'] === true)
  expect(marked.map(({ name }) => name)).toContain('fetch')
  expect(marked.map(({ name }) => name)).not.toContain('read')
  await client.close()
})
