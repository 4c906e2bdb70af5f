import type { AnyTool, Contract } from './contract.ts'
import { inputSchema, outputSchema, type JsonSchema } from './json-schema.ts'
import { toolRisk } from './tool.ts'

/** A form in which clients expect tool descriptions. */
export type WireForm = 'json' | 'openai' | 'anthropic' | 'gemini' | 'mcp'

/** Every form that `wireForm` knows. */
export const WIRE_FORMS: readonly WireForm[] = ['json', 'openai', 'anthropic', 'gemini', 'mcp']

/** Describes a tool in one client's form. Every form derives from the tool and its contract. */
export function wireForm(
  tool: AnyTool<never>,
  form: WireForm,
  contract?: Pick<Contract<never>, 'answerSchema'>,
): object {
  const { name, description } = tool
  switch (form) {
    case 'json':
      return {
        name,
        description,
        version: tool.version,
        risk: toolRisk(tool),
        requiresApproval: toolRisk(tool) !== 'read_only',
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
      return mcpForm(tool, contract)
  }
}

export interface McpForm {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** Describes a tool as MCP lists it. The output is the contract's answer, or the tool's own data without a contract. */
export function mcpForm(tool: AnyTool<never>, contract?: Pick<Contract<never>, 'answerSchema'>): McpForm {
  const { name, description } = tool
  const output = contract ? contract.answerSchema?.(outputSchema(tool)) : outputSchema(tool)
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: inputSchema(tool),
    ...(output && { outputSchema: output }),
    annotations: hints(tool),
  }
}

/** Turns `replace_string_in_file` and `readFile` into words. */
const titleOf = (name: string): string => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the annotations that MCP clients show before they run a tool. */
function hints(tool: AnyTool<never>): McpForm['annotations'] {
  const risk = toolRisk(tool)
  return {
    readOnlyHint: risk === 'read_only',
    destructiveHint: tool.effects.includes('write') || tool.effects.includes('exec'),
    idempotentHint: risk === 'read_only',
    openWorldHint: tool.effects.includes('net'),
  }
}

/** Drops `additionalProperties`, as some documents print their schemas without it. */
function plain(schema: JsonSchema): JsonSchema {
  const { additionalProperties: _closed, ...rest } = schema
  return rest
}

/** Reduces a schema to the OpenAPI subset that Gemini takes: no closed objects, no constants, no exclusive bounds. */
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
