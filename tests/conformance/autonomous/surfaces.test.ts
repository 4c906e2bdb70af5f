import { describe, expect, it } from 'vitest'
import { autonomous } from '../../../src/contracts.ts'
import { mcpForm } from '../../../src/kernel/wire-forms.ts'
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

  it('AA-02: answers an unknown tool with an error', async () => {
    expect(await product.call('delete_file', {})).toEqual({ error: expect.stringContaining('delete_file') })
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
