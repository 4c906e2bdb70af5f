import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk'
import type { RunEvent } from '../../agent/run-events.ts'

/** Returns what an editor shows of an event of a run. */
export function updatesOf(event: RunEvent): readonly SessionUpdate[] {
  switch (event.type) {
    case 'text':
      return [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.text } }]
    case 'reasoning':
      return [{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.text } }]
    case 'call': {
      const { id, tool, input } = event.call
      return [{ sessionUpdate: 'tool_call', toolCallId: id, title: tool, status: 'in_progress', rawInput: input }]
    }
    case 'call-end': {
      const { call, result } = event
      const content = [{ type: 'content' as const, content: { type: 'text' as const, text: result.text } }]
      const status = result.ok ? 'completed' : 'failed'
      const plan = result.ok && call.tool.endsWith('plan') ? planIn(call.input) : undefined
      return [
        { sessionUpdate: 'tool_call_update', toolCallId: call.id, status, content },
        ...(plan ? [{ sessionUpdate: 'plan' as const, entries: plan }] : []),
      ]
    }
    default:
      return []
  }
}

/** Returns the plan that a call of the tool `plan` has written; undefined if it only looked. */
function planIn(input: unknown): PlanEntry[] | undefined {
  const { items }: { readonly items?: unknown } = Object(input)
  if (!Array.isArray(items)) return undefined
  return items.map((item): PlanEntry => {
    const { content, status } = Object(item)
    const isKnown = status === 'in_progress' || status === 'completed'
    return { content: String(content), priority: 'medium', status: isKnown ? status : 'pending' }
  })
}
