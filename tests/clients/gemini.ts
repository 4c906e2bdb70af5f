import {
  answerOf,
  argumentsOf,
  type Call,
  type RawCall,
  type Step,
  type StreamEvent,
  type Turn,
  type Usage,
} from './script.ts'

/** The generateContent protocol of Gemini, streamed. */
interface GeminiRequest {
  readonly contents: readonly {
    readonly role?: string
    readonly parts: readonly { readonly text?: string }[]
  }[]
}

export const isConversation = (): boolean => true

export const turnsOf = ({ contents }: GeminiRequest): readonly Turn[] =>
  contents.map(({ role, parts }) => ({
    by: role === 'model' ? 'model' : 'person',
    text: parts.map(({ text = '' }) => text).join('\n'),
  }))

/** The chunks of one streamed answer. */
export function eventsOf(step: Step, _request: GeminiRequest, _id: string, usage: Usage): readonly StreamEvent[] {
  const { text, calls = [], stop } = answerOf(step)
  const parts = [...(text === undefined ? [] : [{ text }]), ...calls.map(partOf)]
  const finishReason = stop === 'length' ? 'MAX_TOKENS' : stop === 'refusal' ? 'SAFETY' : 'STOP'
  return [
    ...parts.map(part => ({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] })),
    {
      candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
    },
  ]
}

/** Gemini sends arguments as a value: broken ones can only be of another type. */
function partOf(call: Call | RawCall): object {
  try {
    return { functionCall: { name: call.tool, args: JSON.parse(argumentsOf(call)) } }
  } catch {
    return { functionCall: { name: call.tool, args: argumentsOf(call) } }
  }
}
