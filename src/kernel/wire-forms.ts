import type { AnyTool } from './contract.ts'
import { inputSchema, outputSchema, type JsonSchema } from './json-schema.ts'
import { riskOf } from './tool.ts'

export type WireForm = 'json' | 'openai' | 'anthropic' | 'gemini' | 'mcp'

export const WIRE_FORMS: readonly WireForm[] = ['json', 'openai', 'anthropic', 'gemini', 'mcp']

/** A tool as one kind of client wants it described; every form derives from the tool itself. */
export function wireForm(tool: AnyTool<never>, form: WireForm): object {
  const { name, description } = tool
  switch (form) {
    case 'json':
      return {
        name,
        description,
        version: tool.version,
        risk: riskOf(tool.effects),
        requiresApproval: riskOf(tool.effects) !== 'read_only',
        input: inputSchema(tool),
        output: outputSchema(tool),
      }
    case 'openai':
      return { name, description, parameters: plain(inputSchema(tool)) }
    case 'anthropic':
      return { name, description, input_schema: inputSchema(tool) }
    case 'gemini':
      return { name, description, parameters: geminiSchema(inputSchema(tool)) }
    case 'mcp':
      return {
        name,
        description,
        inputSchema: inputSchema(tool),
        outputSchema: outputSchema(tool),
        annotations: hints(tool),
      }
  }
}

/** What MCP clients show before they run a tool. */
function hints(tool: AnyTool<never>): object {
  const risk = riskOf(tool.effects)
  return {
    readOnlyHint: risk === 'read_only',
    destructiveHint: tool.effects.includes('write') || tool.effects.includes('exec'),
    idempotentHint: risk === 'read_only',
    openWorldHint: tool.effects.includes('net'),
  }
}

/** The contract of the cli-agent prints its schemas without the closing of objects. */
function plain(schema: JsonSchema): JsonSchema {
  const { additionalProperties: _closed, ...rest } = schema
  return rest
}

/** Gemini takes the OpenAPI subset: no closing of objects, no constants, no exclusive bounds. */
function geminiSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(geminiSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'additionalProperties' || key === 'propertyNames') return []
    if (key === 'const') return [['enum', [value]]]
    if (key === 'exclusiveMinimum' && typeof value === 'number') return [['minimum', value + 1]]
    if (key === 'exclusiveMaximum' && typeof value === 'number') return [['maximum', value - 1]]
    return [[key, key === 'default' ? value : geminiSchema(value)]]
  })
  return Object.fromEntries(entries)
}
