import { describe, expect, it } from 'vitest'
import { debugAssistant } from '../../../src/contracts.ts'
import { fakeFixes } from '../../../src/testing/fake-fixes.ts'
import { temporaryWorkspace } from '../../../src/testing/index.ts'

/** A past fix that the search of the document's example finds. */
const FIX = {
  id: 'rca-001',
  errorDescription: "Cannot read property 'map' of undefined in React component",
  rootCause: 'The answer is null',
  solution: 'Check it first',
  language: 'typescript',
  errorType: 'TypeError',
  confidence: 0.89,
  userValidated: true,
  createdAt: '2025-12-01T10:30:00Z',
}

describe('DA-x1: the contract test of a tool', () => {
  it.each(debugAssistant.tools.map(tool => [tool.name, tool] as const))(
    '%s refuses each parameter of a wrong type, and answers its example in the shape of its schema',
    async (name, tool) => {
      const [example] = tool.examples
      await using workspace = temporaryWorkspace(example?.files ?? {})
      workspace.write('../config/config.json', JSON.stringify({ timeouts: { '*': 60_000 } }))
      const kit = await workspace.open({ contract: debugAssistant, fixes: fakeFixes([FIX]) })
      const input = Object(example?.input)
      for (const parameter of Object.keys(tool.input.shape))
        expect(await kit.call(name, { ...input, [parameter]: { wrong: true } })).toEqual({
          success: false,
          error: { code: 'INVALID_PARAMETERS', message: expect.stringContaining(parameter) },
        })
      const { success, data } = Object(await kit.call(name, input))
      expect(success).toBe(true)
      expect(tool.output.safeParse(data)).toMatchObject({ success: true })
      expect(Object.keys(data).length).toBeGreaterThan(1)
    },
  )

  it('there is one of every tool of the document', () => {
    expect(debugAssistant.tools.map(({ name }) => name)).toEqual([
      'read_file',
      'web_search_wiki',
      'get_code_context',
      'find_callers_of_function',
      'vector_search_db',
    ])
  })
})
