import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { Answer, Question } from '../../runtime/questions.ts'
import { cardText } from '../card-text.ts'
import { shortCard, type ShortCard } from './short-card.ts'

/** Nobody has read a question and decided within this time. */
const UNREAD_MS = 150

/** A question as a form: its card, and one field for the answer. `always` is there where it would mean something. */
export function approvalForm({ card }: Question): ElicitRequestFormParams {
  const { message, diff } = card.tool.startsWith('toolwright/') ? shortCard(card) : wholeCard(card)
  const answers = card.proposal === undefined ? ['yes', 'no'] : ['yes', 'no', 'always']
  const described = diff === undefined ? {} : { description: diff }
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Approve?', ...described, enum: answers } },
      required: ['answer'],
    },
  }
}

/** As the documents have it, without the line that asks for an answer at a terminal. */
function wholeCard(card: Question['card']): ShortCard {
  const text = cardText(card)
  return { message: text.slice(0, text.lastIndexOf('\n')).trimEnd(), diff: undefined }
}

/**
 * What a client's reply means. Several clients say that they can ask and then decline, or accept an empty form, without
 * showing anything: that is nobody's answer.
 */
export function answerOf(reply: unknown, waitedMs: number, client: string): Answer {
  const { action, content }: { action?: unknown; content?: unknown } = Object(reply)
  const { answer }: { answer?: unknown } = Object(content)
  if (action === 'accept' && (answer === 'yes' || answer === 'no' || answer === 'always')) return { answer, by: client }
  if (action === 'accept') return undecided(client, `'${client}' sent the form back without an answer`)
  if (action !== 'decline' && action !== 'cancel')
    return undecided(client, `what '${client}' replied cannot be understood`)
  if (waitedMs >= UNREAD_MS) return { answer: 'no', by: client }
  return undecided(client, `'${client}' did not show the question: it declined at once, before anybody could read it`)
}

/** A no that no person said, with the reason. */
export const undecided = (client: string, why: string): Answer => ({ answer: 'no', by: client, undecided: why })
