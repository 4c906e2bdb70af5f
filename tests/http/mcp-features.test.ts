import { describe, expect, it } from 'vitest'
import { mcpClient, textOf } from './mcp-client.ts'
import { useServer } from './rig.ts'

const long = Array.from({ length: 2500 }, (_, at) => `line ${at + 1}`).join('\n')
const rules = [{ action: 'exec', command: 'git push', verdict: 'ask', always: true }]
const allow = { create: 'allow', write: 'allow', exec: 'allow' }
const http = useServer(
  { 'a.txt': 'one\n', 'long.txt': `${long}\n` },
  { config: { policy: { defaults: allow, rules } } },
)

const textAt = async (client: Awaited<ReturnType<typeof mcpClient>>, uri: string) => {
  const { contents } = await client.readResource({ uri })
  const { _meta: meta, ...content } = contents[0] ?? {}
  return { text: 'text' in content ? content.text : '', next: meta?.['toolwright/next'] }
}

describe.each([undefined, '2025-11-25'] as const)('over protocol %s', protocol => {
  const connected = (query = '') => mcpClient(http.current, { ...(protocol && { protocol }), query })

  it('the journal is a resource, page by page', async () => {
    const client = await connected()
    for (let at = 0; at < 30; at++) await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
    const first = await textAt(client, 'toolwright://journal')
    const records = first.text.split('\n').map(line => JSON.parse(line))
    expect(records[0]).toMatchObject({ type: 'call', tool: 'toolwright/read' })
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'toolwright://journal',
      'toolwright://staged',
    ])
    const last = records.at(-1).seq
    const before = await textAt(client, `toolwright://journal/${last}`)
    expect(before.text === '' || JSON.parse(before.text.split('\n')[0] ?? '').seq < last).toBe(true)
    await client.close()
  })

  it('staged changes are a resource', async () => {
    const client = await connected()
    expect((await textAt(client, 'toolwright://staged')).text).toBe('')
    await client.callTool({ name: 'stage', arguments: { action: 'begin' } })
    await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
    await client.callTool({ name: 'edit', arguments: { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] } })
    expect((await textAt(client, 'toolwright://staged')).text).toContain('+two')
    expect(http.current.workspace.read('a.txt')).toBe('one\n')
    await client.close()
  })

  it('a long output is read in pages', async () => {
    const client = await connected()
    const answer = await client.callTool({ name: 'run', arguments: { command: 'cat long.txt long.txt long.txt' } })
    const [, id = ''] = /ref:([\w-]+)/.exec(textOf(answer)) ?? []
    const first = await textAt(client, `toolwright://outputs/${id}`)
    expect([first.text.split('\n')[0], first.next]).toEqual(['line 1', `toolwright://outputs/${id}/1001`])
    const second = await textAt(client, String(first.next))
    expect(second.text.split('\n')[0]).toBe('line 1001')
    await expect(client.readResource({ uri: 'toolwright://outputs/none' })).rejects.toThrow(/not found/i)
    await client.close()
  })

  it('prompts are those of the mounted contracts, and two of our own', async () => {
    const client = await connected()
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['debugging', 'safe-refactoring'])
    const { messages } = await client.getPrompt({ name: 'debugging', arguments: { error: 'TypeError: x' } })
    expect(JSON.stringify(messages)).toContain('TypeError: x')
    await expect(client.getPrompt({ name: 'debugging' })).rejects.toThrow('needs: error')
    await client.close()
    const other = await connected('?contract=superconnect')
    expect((await other.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'superconnect-react',
      'superconnect-angular',
    ])
    expect((await other.listTools()).tools.map(({ name }) => name)).toContain('queryIndex')
    await other.close()
  })
})

it('a token that only reads gets the journal, and no stored text', async () => {
  const client = await mcpClient(http.current, { token: http.current.client('read') })
  await expect(textAt(client, 'toolwright://journal')).resolves.toBeDefined()
  await expect(textAt(client, 'toolwright://staged')).rejects.toThrow('scope')
  await client.close()
})
