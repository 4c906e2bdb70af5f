import { answerOf, argumentsOf, type Step, type StreamEvent, type Turn, type Usage } from './script.ts'

/** The Chat Completions protocol of OpenAI, which most local servers speak. */
interface ChatRequest {
  readonly messages: readonly {
    readonly role: string
    readonly content?: string | null | readonly { readonly text?: string }[]
  }[]
}

/** A model without native calls is asked without tools. */
export const isConversation = (): boolean => true

export const turnsOf = ({ messages }: ChatRequest): readonly Turn[] =>
  messages.map(({ role, content }) => ({
    by: role === 'assistant' ? 'model' : 'person',
    text: typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n'),
  }))

/** The chunks of one streamed answer. */
export function eventsOf(step: Step, _request: ChatRequest, id: string, usage: Usage): readonly StreamEvent[] {
  const { text, calls = [], stop } = answerOf(step)
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: `chatcmpl_${id}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const reason =
    stop === 'length' ? 'length' : stop === 'refusal' ? 'content_filter' : calls.length > 0 ? 'tool_calls' : 'stop'
  const ended = {
    ...chunk({}),
    choices: [],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  }
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(text === undefined ? [] : [chunk({ content: text })]),
    ...calls.map((call, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${id}_${index}`,
            type: 'function',
            function: { name: call.tool, arguments: argumentsOf(call) },
          },
        ],
      }),
    ),
    chunk({}, reason),
    ended,
  ]
}
