import type { Toolkit } from '../../toolkit.ts'
import { argumentsIn, callTool, sessionTools, type AdapterOptions } from './session-tools.ts'

/** A function as the Responses API takes it. */
interface OpenAiTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  parameters: Record<string, unknown>
  /** Our schemas have optional fields, which the strict mode does not. */
  readonly strict: false
}

interface OpenAiOutput {
  type: 'function_call_output'
  call_id: string
  output: string
}

interface OpenAiTools {
  readonly tools: OpenAiTool[]
  /** Makes every call of a response, side by side, and returns what goes into the next request. */
  run(output: readonly { readonly type: string }[], signal?: AbortSignal): Promise<OpenAiOutput[]>
}

/** Returns the tools for `responses.create({ tools })` of OpenAI, and what makes the calls of a response. */
export async function openaiTools(kit: Toolkit, options: AdapterOptions = {}): Promise<OpenAiTools> {
  const toolbox = await sessionTools(kit, options)
  return {
    tools: toolbox.tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: { ...inputSchema },
      strict: false,
    })),
    run: (output, signal) =>
      Promise.all(
        output.filter(isCall).map(async ({ name, arguments: text, call_id: id }): Promise<OpenAiOutput> => {
          const result = await callTool(toolbox, name, argumentsIn(text), signal)
          return { type: 'function_call_output', call_id: id, output: result.text }
        }),
      ),
  }
}

interface FunctionCall {
  readonly type: 'function_call'
  readonly name: string
  readonly arguments: string
  readonly call_id: string
}

const isCall = (item: { readonly type: string }): item is FunctionCall => item.type === 'function_call'
