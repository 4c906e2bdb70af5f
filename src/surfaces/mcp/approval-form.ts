import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { Answer, Card, Question } from '../../runtime/questions.ts'
import { cardText } from '../card-text.ts'
import type { Peer } from './peer.ts'
import { shortCard, type ShortCard } from './short-card.ts'

/** No one can read a question and decide within this time. */
const UNREAD_MS = 400

/**
 * Clients known to show the form and wait for a key, by their own name and version. Only these get a prefilled answer:
 * any other could send back a form that no one has seen.
 */
const SHOWS_FORMS = /^(claude-code 2\.1\.|codex-mcp-client 0\.166\.)/

const showsForms = ({ name, version }: Pick<Peer, 'name' | 'version'>): boolean =>
  SHOWS_FORMS.test(`${name} ${version}`)

/**
 * Formats a question as a form: its card, and one field for the answer. Offers `always` only if it has an effect and
 * the form shows everything, and fills in yes only if its lines alone do.
 */
export function approvalForm({ card }: Question, peer: Pick<Peer, 'name' | 'version'>): ElicitRequestFormParams {
  const { message, details, isPlain } = shownCard(card)
  const answers = offersAlways(card) ? ['yes', 'no', 'always'] : ['yes', 'no']
  const descriptionField = details === undefined ? {} : { description: details }
  const filledIn = showsForms(peer) && isPlain ? { default: 'yes' } : {}
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Approve?', ...descriptionField, enum: answers, ...filledIn } },
      required: ['answer'],
    },
  }
}

const shownCards = new WeakMap<Card, ShortCard>()

/** Formats a card once: the answer is judged by what was shown. */
function shownCard(card: Card): ShortCard {
  const cachedCard = shownCards.get(card)
  if (cachedCard) return cachedCard
  const formCard = card.tool.startsWith('toolwright/') ? shortCard(card) : wholeCard(card)
  shownCards.set(card, formCard)
  return formCard
}

const offersAlways = (card: Card): boolean => card.proposal !== undefined && shownCard(card).isWhole

/**
 * Formats the card as the documents do, without the line that asks for an answer at a terminal. It has more lines than
 * a form shows at once.
 */
function wholeCard(card: Card): ShortCard {
  const { text, isWhole } = cardText(card)
  return { message: text.slice(0, text.lastIndexOf('\n')).trimEnd(), details: undefined, isPlain: false, isWhole }
}

/**
 * Interprets a client's reply. Several clients claim to ask and then decline, or accept an empty form, without showing
 * anything: no person has answered then.
 */
export function answerOf(
  reply: unknown,
  waitedMs: number,
  peer: Pick<Peer, 'name' | 'version'>,
  { card }: Question,
): Answer {
  const client = peer.name
  const { action, content }: { action?: unknown; content?: unknown } = Object(reply)
  const { answer }: { answer?: unknown } = Object(content)
  const isRead = waitedMs >= UNREAD_MS
  if (action === 'accept' && answer === 'yes' && showsForms(peer) && !isRead) return unread(client, 'accepted')
  if (action === 'accept' && answer === 'always' && !offersAlways(card))
    return undecidedAnswer(client, `'${client}' answered always, which was not offered`)
  if (action === 'accept' && (answer === 'yes' || answer === 'no' || answer === 'always')) return { answer, by: client }
  if (action === 'accept') return undecidedAnswer(client, `'${client}' sent the form back without an answer`)
  if (action !== 'decline' && action !== 'cancel') return undecidedAnswer(client, `the reply of '${client}' is invalid`)
  return isRead ? { answer: 'no', by: client } : unread(client, 'declined')
}

const unread = (client: string, what: string): Answer =>
  undecidedAnswer(client, `'${client}' did not show the question: it ${what} at once, before anyone could read it`)

/** A refusal that no person gave, with the reason. */
export const undecidedAnswer = (client: string, why: string): Answer => ({ answer: 'no', by: client, undecided: why })
