import { describe, expect, it } from 'vitest'
import { toolwright } from './contract.ts'
import { oneTool, TOOLS } from './one-tool.ts'

describe('a tool of the contract by itself', () => {
  it('is there for each of its tools, and for no other name', async () => {
    expect(Object.keys(TOOLS).toSorted()).toEqual(toolwright.tools.map(({ name }) => name).toSorted())
    expect(await oneTool('constructor')).toBeUndefined()
  })

  it('is the tool of the contract, and answers as the contract does', async () => {
    for (const tool of toolwright.tools) {
      const one = await oneTool(tool.name)
      expect(one?.tools).toEqual([tool])
      expect(one?.tools[0]).toBe(tool)
      expect(one?.envelope).toBe(toolwright.envelope)
      expect(one).toMatchObject({ id: 'toolwright', strictWrites: true, tellsEffects: true, codes: toolwright.codes })
    }
  })
})
