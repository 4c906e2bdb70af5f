import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMcpServer } from '../../src/surfaces/mcp/create-mcp-server.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { connectTo } from '../mcp/connect.ts'
import { replayed, taped, unequal } from './taped.ts'

const MAIN = join(import.meta.dirname, '../../src/surfaces/cli/main.ts')

describe('calls over MCP', () => {
  it('are recorded with the answers of the person at the client, and replay', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n', 'long.txt': 'line "of" many\n'.repeat(9_000) })
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder })
    const answers = ['yes', 'no']
    const elicit = () => ({ action: 'accept' as const, content: { answer: answers.shift() ?? 'no' } })
    await using connection = await connectTo(await createMcpServer(kit), { elicit })
    await connection.call('read', { path: 'a.txt' })
    await connection.call('edit', { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] })
    await connection.call('edit', { path: 'a.txt', edits: [{ old: 'two', new: 'three' }] })
    await connection.call('nothing', {}).catch(() => {})
    // Cut to what the client has room for.
    expect((await connection.call('read', { path: 'long.txt' })).text).toContain('\nMore: ')
    expect((await connection.call('grep', { pattern: 'of', limit: 2_000 })).text).toContain('\nMore: ')
    const calls = await replayed(tape.text())
    expect(calls.map(({ tool }) => tool)).toEqual(
      ['read', 'edit', 'edit', 'nothing', 'read', 'grep'].map(name => `toolwright/${name}`),
    )
    expect(unequal(calls)).toEqual([])
  })

  it('are recorded by toolwright mcp --record', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
    const file = join(workspace.base, 'tape.jsonl')
    const client = new Client({ name: 'test-client', version: '1.0.0' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--no-warnings', MAIN, 'mcp', '--record', file],
        cwd: workspace.path,
        env: { ...workspace.env },
        stderr: 'ignore',
      }),
    )
    await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
    await client.close()
    const calls = await replayed(readFileSync(file, 'utf8'))
    expect(calls).toHaveLength(1)
    expect(unequal(calls)).toEqual([])
  })
})
