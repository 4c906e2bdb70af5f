import type { LanguageModelV4ToolCall, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { CallResult, ModelCall, RunEvent } from './run-events.ts'
import type { Toolbox } from './toolbox.ts'

interface Calling {
  readonly toolbox: Toolbox
  readonly signal: AbortSignal
  readonly onEvent: (event: RunEvent) => void
  readonly onResult: (call: ModelCall, result: CallResult) => void
}

/** How often a call that only reads is made again after a failure that may pass. */
const MOST_RETRIES = 2

/** Failures of reads that may be over a moment later. */
const MAY_PASS: ReadonlySet<string | undefined> = new Set(['io', 'unavailable', 'timeout'])

/** Makes the calls of one answer side by side; those that touch the same files wait for each other in the session. */
export const makeCalls = (calls: readonly ModelCall[], calling: Calling): Promise<readonly CallResult[]> =>
  Promise.all(calls.map(call => makeCall(call, calling)))

async function makeCall(call: ModelCall, { toolbox, signal, onEvent, onResult }: Calling): Promise<CallResult> {
  onEvent({ type: 'call', call })
  const { tool, input } = call
  const result = input === undefined ? malformed(call) : await callTool(tool, input)
  if (!result.isPending) onResult(call, result)
  onEvent({ type: 'call-end', call, result })
  return result

  async function callTool(name: string, parameters: unknown): Promise<CallResult> {
    const mayRepeat = toolbox.tools.find(each => each.name === name)?.onlyReads === true
    for (let attempt = 1; ; attempt++) {
      const answer = await toolbox.call(name, parameters, { signal })
      if (answer.ok || !mayRepeat || attempt > MOST_RETRIES || !MAY_PASS.has(answer.code) || signal.aborted)
        return answer
      onEvent({ type: 'retry', why: `${name}: ${answer.message ?? answer.code}`, afterMs: 0, attempt })
    }
  }
}

const malformed = ({ tool, text }: ModelCall): CallResult => ({
  ok: false,
  code: 'invalid_input',
  message: 'its arguments are not a JSON object',
  text: `invalid_input: The arguments of '${tool}' are not a JSON object, so nothing was run: ${text.slice(0, 300)}\nMake the call again with valid JSON.`,
})

/** Returns a call as the model made it. Broken arguments are never repaired: a guess could change the wrong thing. */
export function modelCallOf({ toolCallId: id, toolName: tool, input: text }: LanguageModelV4ToolCall): ModelCall {
  const input = objectIn(text === '' ? '{}' : text)
  return { id, tool, text, ...(input && { input }) }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Returns a result as the provider takes it. */
export function resultPart(
  { id, tool }: ModelCall,
  { text, ok, images = [] }: CallResult,
): LanguageModelV4ToolResultPart {
  const part = { type: 'tool-result', toolCallId: id, toolName: tool } as const
  if (images.length === 0) return { ...part, output: { type: ok ? 'text' : 'error-text', value: text } }
  const files = images.map(({ mediaType, base64 }) => ({
    type: 'file' as const,
    mediaType,
    data: { type: 'data' as const, data: base64 },
  }))
  return { ...part, output: { type: 'content', value: [{ type: 'text', text }, ...files] } }
}
