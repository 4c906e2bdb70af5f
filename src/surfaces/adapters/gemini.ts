import type { Toolkit } from '../../toolkit.ts'
import { callTool, sessionTools, type AdapterOptions } from './session-tools.ts'

interface FunctionDeclaration {
  readonly name: string
  readonly description: string
  readonly parametersJsonSchema: unknown
}

interface FunctionCall {
  readonly id?: string
  readonly name?: string
  readonly args?: Record<string, unknown>
}

interface FunctionResponsePart {
  readonly functionResponse: {
    readonly id?: string
    readonly name: string
    readonly response: Record<string, unknown>
  }
}

interface GeminiTools {
  readonly tools: { functionDeclarations: FunctionDeclaration[] }[]
  /** Makes every call of a response (`response.functionCalls`), side by side, and returns the parts of the next turn. */
  run(calls: readonly FunctionCall[] | undefined, signal?: AbortSignal): Promise<FunctionResponsePart[]>
}

/** Returns the tools for `models.generateContent({ config: { tools } })` of Gemini, and what makes its calls. */
export async function geminiTools(kit: Toolkit, options: AdapterOptions = {}): Promise<GeminiTools> {
  const toolbox = await sessionTools(kit, options)
  return {
    tools: [
      {
        functionDeclarations: toolbox.tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          parametersJsonSchema: inputSchema,
        })),
      },
    ],
    run: (calls = [], signal) =>
      Promise.all(
        calls.map(async ({ id, name = '', args = {} }): Promise<FunctionResponsePart> => {
          const { text, ok } = await callTool(toolbox, name, args, signal)
          const response = ok ? { output: text } : { error: text }
          return { functionResponse: { ...(id !== undefined && { id }), name, response } }
        }),
      ),
  }
}
