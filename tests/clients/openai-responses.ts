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

/** The Responses protocol of OpenAI, as far as a client needs it. */
interface ResponsesRequest {
  readonly tools?: readonly { readonly type?: string }[]
  readonly input: readonly {
    readonly type?: string
    readonly role?: string
    readonly content?: string | readonly { readonly text?: string }[]
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
      turns.push({ by, text: typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n') })
  }
  return turns
}

/** The events of one streamed answer. */
export function eventsOf(
  step: Step,
  { tools = [] }: ResponsesRequest,
  id: string,
  usage: Usage,
): readonly StreamEvent[] {
  const { text, calls = [], stop } = answerOf(step)
  // Codex keeps the tools of a server in a namespace.
  const namespace = tools.some(({ type }) => type === 'namespace') ? { namespace: 'mcp__toolwright' } : {}
  const items: readonly Item[] = [
    ...(text === undefined ? [] : [textItem(text, id, stop === 'refusal')]),
    ...calls.map((call, at) => ({ ...callItem(call, `${id}_${at}`), ...namespace })),
  ]
  const response = { id: `resp_${id}`, object: 'response', created_at: 0, model: 'fake', output: items }
  const ended =
    stop === 'length'
      ? { type: 'response.incomplete', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      : { type: 'response.completed', status: 'completed' }
  const { type, ...status } = ended
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items.flatMap((item, output_index) => [
      ...deltasOf(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type, response: { ...response, ...status, usage: usageOf(usage) } },
  ]
}

const usageOf = ({ input, output }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
})

type Item = ReturnType<typeof textItem> | ReturnType<typeof callItem>

const textItem = (text: string, id: string, isRefusal: boolean) => ({
  type: 'message' as const,
  id: `msg_${id}`,
  role: 'assistant',
  status: 'completed',
  content: [
    isRefusal ? { type: 'refusal' as const, refusal: text } : { type: 'output_text' as const, text, annotations: [] },
  ],
})

const callItem = (call: Call | RawCall, id: string) => ({
  type: 'function_call' as const,
  id: `fc_${id}`,
  call_id: `call_${id}`,
  status: 'completed',
  name: call.tool,
  arguments: argumentsOf(call),
})

/** What comes of an item before it is done; a client may read either. */
function deltasOf(item: Item, output_index: number): readonly StreamEvent[] {
  const at = { output_index, item_id: item.id }
  if (item.type === 'function_call')
    return [
      { type: 'response.output_item.added', output_index, item: { ...item, arguments: '', status: 'in_progress' } },
      { type: 'response.function_call_arguments.delta', ...at, delta: item.arguments },
    ]
  const deltas = item.content.map((part, content_index) =>
    part.type === 'refusal'
      ? { type: 'response.refusal.delta', ...at, content_index, delta: part.refusal }
      : { type: 'response.output_text.delta', ...at, content_index, delta: part.text },
  )
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, content: [], status: 'in_progress' } },
    ...deltas,
  ]
}
