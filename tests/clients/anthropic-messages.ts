import { answerOf, argumentsOf, type Step, type StreamEvent, type Turn, type Usage } from './script.ts'

/** The Messages protocol of Anthropic, as far as a client needs it. */
interface MessagesRequest {
  readonly model: string
  readonly tools?: readonly { readonly name?: string }[]
  readonly messages: readonly {
    readonly role: string
    readonly content: string | readonly { readonly text?: string }[]
  }[]
}

/** Reports whether the request is one of the conversation: what a client asks on the side comes without tools. */
export const isConversation = ({ tools = [] }: MessagesRequest): boolean => tools.length > 0

export const turnsOf = ({ messages }: MessagesRequest): readonly Turn[] =>
  messages.map(({ role, content }) => ({
    by: role === 'assistant' ? 'model' : 'person',
    text: typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n'),
  }))

/** The events of one streamed answer. */
export function eventsOf(
  step: Step,
  { model, tools = [] }: MessagesRequest,
  id: string,
  usage: Usage,
): readonly StreamEvent[] {
  const { text, calls = [], stop } = answerOf(step)
  // Claude Code spells a tool of a server `mcp__server__tool`.
  const prefix = tools.some(({ name }) => name?.startsWith(SERVER)) ? SERVER : ''
  const blocks = [
    ...(text === undefined ? [] : [textEvents(text)]),
    ...calls.map((call, at) => callEvents(prefix + call.tool, argumentsOf(call), `${id}_${at}`)),
  ]
  const reason =
    stop === 'length' ? 'max_tokens' : stop === 'refusal' ? 'refusal' : calls.length > 0 ? 'tool_use' : 'end_turn'
  const ended = { stop_reason: reason, stop_sequence: null }
  const counted = { input_tokens: usage.input, output_tokens: usage.output }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [] }
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage: counted } },
    ...blocks.flatMap(([content_block, delta], index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: ended, usage: counted },
    { type: 'message_stop' },
  ]
}

const SERVER = 'mcp__toolwright__'

const textEvents = (text: string) =>
  [
    { type: 'text', text: '' },
    { type: 'text_delta', text },
  ] as const

const callEvents = (name: string, partial_json: string, id: string) =>
  [
    { type: 'tool_use', id: `toolu_${id}`, name, input: {} },
    { type: 'input_json_delta', partial_json },
  ] as const
