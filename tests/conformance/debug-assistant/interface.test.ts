import { beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { debugAssistant } from '../../../src/contracts.ts'
import { ReadFileTool, ToolBase } from '../../../src/documents/debug-assistant.ts'
import { wireForm } from '../../../src/kernel/wire-forms.ts'
import { useProject } from '../directory.ts'

const project = useProject({ 'test.ts': 'export const one = 1\n' })
beforeEach(() => {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project.cwd)
  return () => cwd.mockRestore()
})

describe('ReadFileTool', () => {
  it('DA-01: refuses parameters of another type before any work', async () => {
    expect(await ReadFileTool.execute({ filePath: 123 })).toEqual({
      success: false,
      error: { code: 'INVALID_PARAMETERS', message: expect.stringContaining('filePath') },
    })
    expect(ReadFileTool.parameters.safeParse({ filePath: 123 }).success).toBe(false)
  })

  it('DA-02: gives the data of the document', async () => {
    expect(await ReadFileTool.execute({ filePath: 'test.ts' })).toEqual({
      success: true,
      data: { filePath: 'test.ts', content: 'export const one = 1\n', lineCount: 1, encoding: 'utf-8', fileSize: 21 },
    })
  })

  it('DA-03: answers INTERNAL_ERROR where the directory of the process is gone', async () => {
    vi.mocked(process.cwd).mockReturnValue(`${project.cwd}/gone`)
    expect(await ReadFileTool.execute({ filePath: 'test.ts' })).toMatchObject({
      success: false,
      error: { code: 'INTERNAL_ERROR' },
    })
  })
})

describe('the contract', () => {
  it('DA-02: lists the shape of every answer, failures included', () => {
    for (const tool of debugAssistant.tools)
      expect(wireForm(tool, 'mcp', debugAssistant)).toMatchObject({
        outputSchema: {
          properties: {
            success: { type: 'boolean' },
            data: { type: 'object' },
            error: { required: ['code', 'message'] },
          },
          required: ['success'],
        },
      })
  })

  it('DA-11: has the block of its tools for a system prompt', () => {
    const prompt = debugAssistant.prompts?.['system']?.() ?? ''
    for (const { name, description } of debugAssistant.tools) {
      expect(prompt).toContain(`"${name}"`)
      expect(prompt).toContain(description)
    }
    expect(prompt).toContain('string (required) - Relative path from workspace root')
    expect(prompt).toMatch(/USAGE FORMAT:\n\{\n {2}"tool": "tool_name",/)
  })
})

describe('ToolBase', () => {
  class Double extends ToolBase {
    readonly name = 'double'
    readonly description = 'Double a number.'
    readonly parameters = z.object({ number: z.number().max(10) })

    protected override async executeInternal({ number }: z.infer<this['parameters']>) {
      if (number < 0) throw new RangeError('below zero')
      return { success: true, data: 2 * number }
    }
  }

  it('DA-01: validates before a tool of your own runs', async () => {
    expect(await new Double().execute({ number: 2 })).toEqual({ success: true, data: 4 })
    expect(await new Double().execute({ number: 11 })).toMatchObject({ error: { code: 'INVALID_PARAMETERS' } })
  })

  it('DA-03: answers TOOL_TIMEOUT after its time, which is 2 s unless set otherwise', async () => {
    class Slow extends Double {
      protected override readonly timeoutMs = 20
      protected override executeInternal = () => new Promise<never>(() => {})
      static limitOf = (tool: ToolBase): unknown => Reflect.get(tool, 'timeoutMs')
    }
    expect(await new Slow().execute({ number: 1 })).toEqual({
      success: false,
      error: { code: 'TOOL_TIMEOUT', message: expect.stringContaining("'double'") },
    })
    expect(Slow.limitOf(new Double())).toBe(2_000)
  })

  it('DA-03: answers INTERNAL_ERROR where it throws', async () => {
    expect(await new Double().execute({ number: -1 })).toEqual({
      success: false,
      error: { code: 'INTERNAL_ERROR', message: 'below zero' },
    })
  })
})
