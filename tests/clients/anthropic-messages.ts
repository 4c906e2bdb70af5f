import type { Call, Step, StreamEvent, Turn } from './script.ts'

/** The Messages protocol of Anthropic, as far as a client needs it. */
interface MessagesRequest {
  readonly model: string
  readonly tools?: readonly object[]
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
export function eventsOf(step: Step, { model }: MessagesRequest, id: string): readonly StreamEvent[] {
  const blocks = typeof step === 'string' ? [textEvents(step)] : step.map((call, at) => callEvents(call, `${id}_${at}`))
  const stop = { stop_reason: typeof step === 'string' ? 'end_turn' : 'tool_use', stop_sequence: null }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [] }
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage: USAGE } },
    ...blocks.flatMap(([content_block, delta], index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: stop, usage: USAGE },
    { type: 'message_stop' },
  ]
}

const USAGE = { input_tokens: 1000, output_tokens: 10 }

const textEvents = (text: string) =>
  [
    { type: 'text', text: '' },
    { type: 'text_delta', text },
  ] as const

/** Claude Code spells a tool of a server `mcp__server__tool`. */
const callEvents = ({ tool, input }: Call, id: string) =>
  [
    { type: 'tool_use', id: `toolu_${id}`, name: `mcp__toolwright__${tool}`, input: {} },
    { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  ] as const
