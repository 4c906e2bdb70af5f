import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import type { AcceptedAnswer, PendingQuestion } from '../kernel/pending-approval.ts'
import type { Risk } from '../kernel/tool.ts'

/** Everything that a person needs to approve or refuse one call. */
export interface Card {
  readonly tool: string
  readonly input: unknown
  readonly claims: readonly Claim[]
  readonly changes: readonly Change[]
  readonly risk: Risk
  /** Why the call needs approval. */
  readonly why: string
  /** What `always` would remember, in words; absent if nothing can be remembered. */
  readonly proposal?: string
  /** Stores everything that the question is about and returns its reference, for surfaces that show less. */
  readonly whole?: () => string
}

/** A question that waits for an answer, with the card that explains it. */
export interface Question {
  readonly id: string
  readonly card: Card
  readonly askedAt: number
  /** Aborted once someone else has answered; the reason says who and what, if it was a person. */
  readonly closed: AbortSignal
}

/** Returns who answered a question that was closed; undefined if no one did. */
export const answeredBy = ({ closed }: Pick<Question, 'closed'>): AcceptedAnswer | undefined => {
  const reason: unknown = closed.reason
  return closed.aborted && typeof reason === 'object' && reason !== null && 'by' in reason
    ? (reason as AcceptedAnswer)
    : undefined
}

/** The answer, and who gave it. `scope` says how far `always` reaches. */
export interface Answer {
  readonly answer: 'yes' | 'no' | 'always'
  readonly by: string
  /** How far an `always` reaches; the workspace by default. */
  readonly scope?: 'task' | 'session' | 'workspace' | 'user'
  readonly expiresAt?: number
  /** The accepted hunks, if not all. */
  readonly hunks?: readonly number[]
  /** Given to the model. */
  readonly reason?: string
  /** Why no one decided, in words that follow "but": a no that no person said. */
  readonly undecided?: string
  /** Ends the answer in the list of the workspace: until then a call that is killed leaves it to the same call. */
  readonly use?: () => void
}

/** Answers questions: a person at a screen, or a program. An exception is a no. */
export type Answerer = (question: Question) => Promise<Answer> | Answer

/** How a question is asked. */
interface Asking {
  readonly signal?: AbortSignal | undefined
  /** Asked instead of everyone attached. */
  readonly only?: Answerer | undefined
  /** Returns the question as every process of the user sees it; without it only this session does. */
  readonly published?: () => PendingQuestion
}

/** A question as it is asked in its own session. */
export interface AskedHere {
  /** The first answer from here; never settles if no one here is asked. */
  readonly answer: Promise<Answer>
  readonly isAsked: boolean
  /** Ends the question here, because it was closed elsewhere. */
  close(by: AcceptedAnswer | undefined): void
}

/** Where else the questions of a session are asked. */
interface SharedQuestions {
  /** How long a question waits there although no one here decides; undefined if it does not. */
  readonly waitMs: number | undefined
  /** Publishes a question that is also asked here, and returns the first answer. */
  ask(here: AskedHere, questionOf: () => PendingQuestion): Promise<Answer>
}

/** The open questions of a session. They live here, not in a surface, so that any surface can answer them. */
export interface Questions {
  /** Asks everyone attached, and everyone who sees the list of the workspace. The first answer wins. */
  ask(card: Card, asking?: Asking): Promise<Answer>
  pending(): readonly Question[]
  /** Answers one question by its id; false if it is no longer open. */
  answer(id: string, answer: Answer): boolean
  /** Adds an answerer and returns how to remove it. Without any, every question is answered no. */
  attach(answerer: Answerer): () => void
}

/** The caller ended the call, which is no answer. */
export const CANCELLED = 'cancelled'
const NO_ANSWER: Answer = { answer: 'no', by: 'nobody' }
const UNREADABLE: Answer = {
  answer: 'no',
  by: 'an answer that cannot be understood',
  undecided: 'the answer cannot be understood',
}

export function createQuestions(clock: { now(): number; id(): string }, sharedQuestions?: SharedQuestions): Questions {
  const open = new Map<string, { question: Question; settle: (answer: Answer) => void }>()
  const answerers = new Set<Answerer>()

  /** Asks the answerers of this session. */
  function askHere(card: Card, asked: readonly Answerer[], signal: AbortSignal | undefined) {
    const closing = new AbortController()
    const question: Question = { id: clock.id(), card, askedAt: clock.now(), closed: closing.signal }
    const { promise: answer, resolve } = Promise.withResolvers<Answer>()
    const end = () => {
      signal?.removeEventListener('abort', cancel)
      return open.delete(question.id)
    }
    const settle = (given: Answer) => {
      if (end()) resolve(isAnswer(given) ? given : UNREADABLE)
    }
    const cancel = () => settle({ answer: 'no', by: CANCELLED })
    open.set(question.id, { question, settle })
    signal?.addEventListener('abort', cancel, { once: true })
    for (const answerer of asked) void put(answerer, question, settle)
    const close = (by: AcceptedAnswer | undefined) => {
      end()
      closing.abort(by)
    }
    return { answer, isAsked: asked.length > 0, close }
  }

  return {
    async ask(card, { signal, only, published } = {}) {
      const recipients = only ? [only] : [...answerers]
      const isPublic = published !== undefined && sharedQuestions !== undefined
      const canWait = isPublic && sharedQuestions.waitMs !== undefined
      if ((recipients.length === 0 && !canWait) || signal?.aborted) return NO_ANSWER
      const here = askHere(card, recipients, signal)
      if (!isPublic) return here.answer
      // A program that answers at once leaves no time for anyone else.
      const immediate = await Promise.race([here.answer, nextTurn()])
      return immediate && !(canWait && isUndecided(immediate)) ? immediate : sharedQuestions.ask(here, published)
    },
    pending: () => [...open.values()].map(entry => entry.question),
    answer(id, answer) {
      const entry = open.get(id)
      entry?.settle(answer)
      return entry !== undefined
    },
    attach(answerer) {
      answerers.add(answerer)
      return () => void answerers.delete(answerer)
    },
  }
}

const SCOPES: readonly unknown[] = [undefined, 'task', 'session', 'workspace', 'user'] satisfies (
  | Answer['scope']
  | undefined
)[]

/** A foreign program may return something that is no answer. */
function isAnswer(given: unknown): given is Answer {
  if (typeof given !== 'object' || given === null) return false
  const { answer, by, scope, expiresAt, undecided, hunks, reason }: { [key: string]: unknown } = { ...given }
  if (answer !== 'yes' && answer !== 'no' && answer !== 'always') return false
  if (typeof by !== 'string' || by === '' || !SCOPES.includes(scope)) return false
  if (undecided !== undefined && (typeof undecided !== 'string' || answer !== 'no')) return false
  if (reason !== undefined && typeof reason !== 'string') return false
  if (hunks !== undefined && !(Array.isArray(hunks) && hunks.every(Number.isSafeInteger))) return false
  return expiresAt === undefined || (typeof expiresAt === 'number' && Math.abs(expiresAt) <= LATEST)
}

/** The last moment that a date can represent. */
const LATEST = 8_640_000_000_000_000

/** Reports whether no person decided. A caller that ends the call leaves nothing to decide. */
export const isUndecided = ({ by, undecided }: Answer): boolean => undecided !== undefined || by === NO_ANSWER.by

const nextTurn = (): Promise<undefined> => new Promise(resolve => setImmediate(resolve, undefined))

/** An answerer that fails has not said yes. */
async function put(answerer: Answerer, question: Question, settle: (answer: Answer) => void): Promise<void> {
  try {
    settle(await answerer(question))
  } catch {
    settle({ answer: 'no', by: 'failed', undecided: 'the answerer failed' })
  }
}
