import type { JsonSchema } from '../../kernel/json-schema.ts'
import type { Toolkit } from '../../toolkit.ts'
import { callTool, sessionTools, type AdapterOptions } from './session-tools.ts'

type Input = Record<string, unknown>

/** A schema in the form that libraries share (standardschema.dev). The tool itself validates its input. */
interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Input }
    readonly validate: (value: unknown) => { readonly value: Input }
    readonly jsonSchema: { readonly input: () => Input; readonly output: () => Input }
  }
}

interface AiSdkTool {
  readonly description: string
  readonly inputSchema: StandardSchema
  execute(input: Input, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<string>
}

/** Returns the tools for `generateText({ tools })` and `streamText` of the AI SDK. */
export async function aiSdkTools(kit: Toolkit, options: AdapterOptions = {}): Promise<Record<string, AiSdkTool>> {
  const toolbox = await sessionTools(kit, options)
  const tools = toolbox.tools.map(({ name, description, inputSchema }): [string, AiSdkTool] => [
    name,
    {
      description,
      inputSchema: standardSchema(inputSchema),
      async execute(input, { abortSignal }) {
        const { text, ok } = await callTool(toolbox, name, input, abortSignal)
        // The SDK tells a model that a call failed only if it throws.
        if (!ok) throw new Error(text)
        return text
      },
    },
  ])
  return Object.fromEntries(tools)
}

const standardSchema = (schema: JsonSchema): StandardSchema => ({
  '~standard': {
    version: 1,
    vendor: 'toolwright',
    validate: value => ({ value: Object(value) }),
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
  },
})
