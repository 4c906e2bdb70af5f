import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { Answer, Question } from '../../runtime/questions.ts'
import { cardText } from '../card-text.ts'
import type { Peer } from './peer.ts'
import { shortCard, type ShortCard } from './short-card.ts'

/** Nobody has read a question and decided within this time. */
const UNREAD_MS = 150

/**
 * Clients that were seen to show the form and to wait for a key, by the name and version that they give themselves. Only
 * there the answer is filled in: any other could send a form back that nobody has looked at.
 */
const SHOWS_FORMS = /^(claude-code 2\.1\.|codex-mcp-client 0\.166\.)/

const showsForms = ({ name, version }: Pick<Peer, 'name' | 'version'>): boolean =>
  SHOWS_FORMS.test(`${name} ${version}`)

/** A question as a form: its card, and one field for the answer. `always` is there where it would mean something. */
export function approvalForm({ card }: Question, peer: Pick<Peer, 'name' | 'version'>): ElicitRequestFormParams {
  const { message, diff } = card.tool.startsWith('toolwright/') ? shortCard(card) : wholeCard(card)
  const answers = card.proposal === undefined ? ['yes', 'no'] : ['yes', 'no', 'always']
  const described = diff === undefined ? {} : { description: diff }
  const filledIn = showsForms(peer) ? { default: 'yes' } : {}
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Approve?', ...described, enum: answers, ...filledIn } },
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
export function answerOf(reply: unknown, waitedMs: number, peer: Pick<Peer, 'name' | 'version'>): Answer {
  const client = peer.name
  const { action, content }: { action?: unknown; content?: unknown } = Object(reply)
  const { answer }: { answer?: unknown } = Object(content)
  const isRead = waitedMs >= UNREAD_MS
  if (action === 'accept' && answer === 'yes' && showsForms(peer) && !isRead) return unread(client, 'accepted')
  if (action === 'accept' && (answer === 'yes' || answer === 'no' || answer === 'always')) return { answer, by: client }
  if (action === 'accept') return undecided(client, `'${client}' sent the form back without an answer`)
  if (action !== 'decline' && action !== 'cancel')
    return undecided(client, `what '${client}' replied cannot be understood`)
  return isRead ? { answer: 'no', by: client } : unread(client, 'declined')
}

const unread = (client: string, what: string): Answer =>
  undecided(client, `'${client}' did not show the question: it ${what} at once, before anybody could read it`)

/** A no that no person said, with the reason. */
export const undecided = (client: string, why: string): Answer => ({ answer: 'no', by: client, undecided: why })
