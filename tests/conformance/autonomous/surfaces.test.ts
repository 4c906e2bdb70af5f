import { describe, expect, it } from 'vitest'
import { autonomous } from '../../../src/contracts.ts'
import { mcpForm } from '../../../src/kernel/wire-forms.ts'
import { createMcpServer } from '../../../src/mcp.ts'
import { connectTo } from '../../mcp/connect.ts'
import { replayed, taped, unequal } from '../../replay/taped.ts'
import { TOKEN, useProduct } from './rig.ts'

const product = useProduct({ 'src/a.ts': 'export const a = 1\n' })

describe('the contract', () => {
  it('has for MCP a schema of every answer that is an object, failures included, and none of the list', () => {
    const schemas = autonomous.tools.map(tool => [tool.name, mcpForm(tool, autonomous).outputSchema])
    for (const [name, schema] of schemas) {
      if (name === 'search_code') expect(schema).toBeUndefined()
      else expect(schema).toMatchObject({ type: 'object', properties: { error: { type: 'string' } } })
    }
  })

  it('AA-02: gives the name, the input and the output of a call', async () => {
    const input = { path: 'src/a.ts' }
    expect(await product.result('read_file', input)).toEqual({
      name: 'read_file',
      input,
      output: { path: 'src/a.ts', content: 'export const a = 1\n', size: 19 },
    })
  })

  it('AA-02: keeps the error of a tool in its output, and gives its text besides', async () => {
    const error = "'src/none.ts' was not found in acme/shop"
    const given = Object(await product.result('read_file', { path: 'src/none.ts' }))
    expect(given).toEqual({
      name: 'read_file',
      input: { path: 'src/none.ts' },
      output: { error: expect.stringContaining(error) },
      error: given.output.error,
    })
  })

  it('AA-02: answers an unknown tool with an error, and without any output', async () => {
    expect(await product.result('delete_file', { path: 'x' })).toEqual({
      name: 'delete_file',
      input: { path: 'x' },
      error: expect.stringContaining('delete_file'),
    })
  })

  it('AA-02: carries the output alone over MCP', async () => {
    const kit = await product.open()
    await using server = await connectTo(await createMcpServer(kit))
    const read = await server.call('read_file', { path: 'src/a.ts' })
    expect(read.structured).toEqual({ path: 'src/a.ts', content: 'export const a = 1\n', size: 19 })
    expect(JSON.parse(read.text)).toEqual(read.structured)
    const failed = await server.call('read_file', { path: 'none' })
    expect(failed).toMatchObject({ isError: true, structured: { error: expect.stringContaining('not found') } })
    expect(Object.keys(Object(failed.structured))).toEqual(['error'])
  })
})

describe('a recording', () => {
  it('replays calls of a repository without reaching GitHub, and holds no token', async () => {
    const tape = taped()
    const kit = await product.open({ record: tape.recorder })
    await kit.call('read_file', { path: 'src/a.ts' })
    await kit.call('search_code', { query: 'const' })
    await kit.call('list_files', { path: 'nowhere' })
    await kit.call('todo_manager', { items: [] })
    expect(tape.text()).not.toContain(TOKEN)
    const sent = product.github.requests.length
    const calls = await replayed(tape.text())
    expect(calls).toHaveLength(4)
    expect(unequal(calls)).toEqual([])
    expect(product.github.requests).toHaveLength(sent)
  })
})
