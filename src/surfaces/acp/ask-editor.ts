import { methods, type AgentContext } from '@agentclientprotocol/sdk'
import { sanitize } from '../../kernel/sanitize.ts'
import type { Answer, Answerer } from '../../runtime/questions.ts'
import { cardText } from '../card-text.ts'
import { kindOf, shownChanges } from './shown-changes.ts'

interface Editor {
  readonly client: AgentContext
  readonly name: string
  readonly sessionId: string
  readonly root: string
  readonly signal: AbortSignal
}

/** Asks in the editor, with the diff. Answered elsewhere or cancelled, the question is no longer waited for. */
export const askEditor =
  ({ client, name, sessionId, root, signal }: Editor): Answerer =>
  async ({ id, card, closed }) => {
    const { text, isWhole } = cardText(card)
    const diffs = shownChanges(root, card.changes)
    const request = client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: {
        toolCallId: id,
        title: sanitize(`${card.tool}: ${card.why}`, { max: 200 }),
        kind: kindOf(card.claims),
        status: 'pending',
        rawInput: card.input,
        content: [...diffs, { type: 'content', content: { type: 'text', text } }],
      },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Refuse', kind: 'reject_once' },
        // What would be remembered has to be shown whole.
        ...(card.proposal !== undefined && isWhole
          ? [{ optionId: 'always', name: sanitize(card.proposal, { max: 100 }), kind: 'allow_always' as const }]
          : []),
      ],
    })
    const answer = await Promise.race([request, ended(signal), ended(closed)]).catch(() => undefined)
    const chosen = answer?.outcome.outcome === 'selected' ? answer.outcome.optionId : undefined
    if (chosen === 'yes' || chosen === 'no') return { answer: chosen, by: name }
    if (chosen === 'always' && card.proposal !== undefined && isWhole) return { answer: 'always', by: name }
    return undecided(name)
  }

const undecided = (by: string): Answer => ({ answer: 'no', by, undecided: `'${by}' did not answer the question` })

const ended = (signal: AbortSignal): Promise<undefined> =>
  new Promise(resolve =>
    signal.aborted ? resolve(undefined) : signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  )
