import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputSchema, outputSchema } from './json-schema.ts'
import { riskOf, toolFactory } from './tool.ts'
import { WIRE_FORMS, wireForm } from './wire-forms.ts'

const tool = toolFactory<unknown>()({
  name: 'create_file',
  description: 'Create a new file with specified content',
  version: '1.2.0',
  input: z.strictObject({
    path: z.string().describe('Relative path to the file to create'),
    content: z.string().describe('Content to write to the file'),
    mode: z.literal('text').optional(),
    lines: z.int().positive().max(10).default(1),
  }),
  output: z.strictObject({ bytes: z.int(), note: z.string().optional() }),
  effects: ['create'],
  claims: () => [],
  run: () => ({ bytes: 1 }),
  examples: [],
})

describe('JSON Schemas', () => {
  it('SG-25: come from the Zod definition: what a caller sends has its defaults optional, what it gets has them', () => {
    expect(inputSchema(tool)).toMatchObject({
      type: 'object',
      required: ['path', 'content'],
      additionalProperties: false,
    })
    expect(outputSchema(tool)).toEqual({
      type: 'object',
      properties: { bytes: expect.objectContaining({ type: 'integer' }), note: { type: 'string' } },
      required: ['bytes'],
      additionalProperties: false,
    })
    expect(inputSchema(tool)).toBe(inputSchema(tool))
  })
})

describe('wireForm', () => {
  it('CA-01: gives the facts of a tool, approval and risk included', () => {
    expect(wireForm(tool, 'json')).toEqual({
      name: 'create_file',
      description: 'Create a new file with specified content',
      version: '1.2.0',
      risk: 'safe_write',
      requiresApproval: true,
      input: inputSchema(tool),
      output: outputSchema(tool),
    })
  })

  it('CA-17: gives the form of OpenAI function calling', () => {
    expect(wireForm(tool, 'openai')).toEqual({
      name: 'create_file',
      description: 'Create a new file with specified content',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Relative path to the file to create' },
          content: { type: 'string', description: 'Content to write to the file' },
          mode: { type: 'string', const: 'text' },
          lines: expect.objectContaining({ type: 'integer', default: 1, maximum: 10 }),
        },
        required: ['path', 'content'],
      },
    })
  })

  it('gives Gemini nothing that its subset does not know', () => {
    const { parameters } = Object(wireForm(tool, 'gemini'))
    expect(JSON.stringify(parameters)).not.toMatch(/additionalProperties|"const"|exclusive/)
    expect(parameters.properties).toMatchObject({
      mode: { enum: ['text'] },
      lines: { minimum: 1, maximum: 10, default: 1 },
    })
  })

  it('gives MCP its hints', () => {
    expect(wireForm(tool, 'mcp')).toMatchObject({
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    })
    const dangerous = { ...tool, effects: ['net', 'exec'] as const }
    expect(wireForm(dangerous, 'mcp')).toMatchObject({ annotations: { destructiveHint: true, openWorldHint: true } })
  })

  it('has the name and the description in every form', () => {
    for (const form of WIRE_FORMS)
      expect(wireForm(tool, form)).toMatchObject({ name: tool.name, description: tool.description })
  })
})

describe('riskOf', () => {
  it.each([
    [['read'], 'read_only'],
    [[], 'read_only'],
    [['read', 'create'], 'safe_write'],
    [['create', 'write'], 'dangerous'],
    [['exec'], 'dangerous'],
    [['net'], 'dangerous'],
  ] as const)('CA-01: %j is %s', (effects, risk) => {
    expect(riskOf(effects)).toBe(risk)
  })
})
