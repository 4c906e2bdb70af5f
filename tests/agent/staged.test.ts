import { describe, expect, it } from 'vitest'
import { agentWorld } from './rig.ts'

const write = { tool: 'write', input: { path: 'b.txt', content: 'two\n', expect: 'absent' } }
const read = { tool: 'read', input: { path: 'b.txt' } }

describe('a staged run', () => {
  it('sees its own changes, and lands them together once a person agrees', async () => {
    await using world = await agentWorld({ 'Do it.': [[write], [read], 'Done.'] })
    const seen: string[][] = []
    const result = await world.run('Do it.', {
      staged: true,
      approve: ({ card }) => {
        seen.push(
          Object.keys(world.workspace.snapshot()),
          card.changes.map(({ path }) => path),
        )
        return { answer: 'yes', by: 'ada' }
      },
    })
    expect(result).toMatchObject({ status: 'completed', changed: [{ path: 'b.txt', kind: 'created' }] })
    expect(seen).toEqual([['a.txt'], ['b.txt']])
    expect(world.model.heard()).toContain('two')
    expect(JSON.parse(world.model.heard()).tools.map(({ function: { name } }: never) => name)).not.toContain('stage')
  })

  it('lands nothing where the person does not agree, and says where it is', async () => {
    await using world = await agentWorld({ 'Do it.': [[write], 'Done.'] })
    const result = await world.run('Do it.', { staged: true, approve: () => ({ answer: 'no', by: 'ada' }) })
    expect(result).toMatchObject({ status: 'refused', changed: [], undo: null })
    expect(result.reason).toMatch(/^Nothing landed: .* --transaction /)
    expect(Object.keys(world.workspace.snapshot())).toEqual(['a.txt'])
  })

  it('lands nothing where a run does not complete', async () => {
    await using world = await agentWorld({ 'Do it.': [[write], { failures: [{ status: 401 }] }] })
    expect(await world.run('Do it.', { staged: true })).toMatchObject({ status: 'failed', changed: [] })
    expect(Object.keys(world.workspace.snapshot())).toEqual(['a.txt'])
  })
})
