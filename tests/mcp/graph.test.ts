import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMcpServer } from '../../src/mcp.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { connectTo, type Connection } from './connect.ts'

const LONG = `src/${'a-long-name-'.repeat(10)}.ts`

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ [LONG]: 'export function first() {}\n', 'b.ts': 'export function second() {}\n' })
})
afterEach(() => workspace.remove())

const open = async (): Promise<Connection> =>
  connectTo(await createMcpServer(await workspace.open()), { name: 'claude-code', version: '2.1.325' })

const query = 'MATCH (f:Function) RETURN f.id ORDER BY f.id'

describe('a question about the graph', () => {
  it('ends after waitMs, and is answered when it is asked again', async () => {
    await using server = await open()
    const { text, isError } = await server.call('graph', { query, waitMs: 0 })
    expect([isError, text]).toEqual([
      true,
      'timeout: The graph did not answer within 0 ms\nGive it more time with "waitMs", or ask again: what was read is kept.',
    ])
    const diff = await server.call('graph', { query, waitMs: 200_000 })
    expect(diff.text.split('\n')).toEqual(['graph (2 rows)', 'f.id', 'b.ts#second', `${LONG}#first`])
  })

  it('says that there are no rows', async () => {
    await using server = await open()
    const { text } = await server.call('graph', { query: "MATCH (f:Function) WHERE f.name = 'third' RETURN f.id" })
    expect(text).toBe('graph (0 rows)\nf.id')
  })
})
