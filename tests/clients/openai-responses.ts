import type { Call, Step, StreamEvent, Turn } from './script.ts'

/** The Responses protocol of OpenAI, as far as a client needs it. */
interface ResponsesRequest {
  readonly tools?: readonly object[]
  readonly input: readonly {
    readonly type: string
    readonly role?: string
    readonly content?: readonly { readonly text?: string }[]
  }[]
}

/** Reports whether the request is one of the conversation: what a client asks on the side comes without tools. */
export const isConversation = ({ tools = [] }: ResponsesRequest): boolean => tools.length > 0

/** Calls side by side are items of their own, and one turn. */
export function turnsOf({ input }: ResponsesRequest): readonly Turn[] {
  const turns: Turn[] = []
  for (const { type, role, content = [] } of input) {
    const by = type === 'function_call' || role === 'assistant' ? 'model' : 'person'
    if (by === 'person' || turns.at(-1)?.by !== 'model')
      turns.push({ by, text: content.map(({ text = '' }) => text).join('\n') })
  }
  return turns
}

/** The events of one streamed answer. */
export function eventsOf(step: Step, _request: ResponsesRequest, id: string): readonly StreamEvent[] {
  const items = typeof step === 'string' ? [textItem(step, id)] : step.map((call, at) => callItem(call, `${id}_${at}`))
  const response = { id: `resp_${id}`, object: 'response', output: items }
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { ...response, status: 'completed', usage: USAGE } },
  ]
}

const USAGE = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1010,
}

const textItem = (text: string, id: string) => ({
  type: 'message',
  id: `msg_${id}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

/** Codex keeps the tools of a server in a namespace. */
const callItem = ({ tool, input }: Call, id: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: `call_${id}`,
  status: 'completed',
  namespace: 'mcp__toolwright',
  name: tool,
  arguments: JSON.stringify(input),
})
