import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
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
}

/** The answer, and who gave it. `scope` says how far `always` reaches. */
export interface Answer {
  readonly answer: 'yes' | 'no' | 'always'
  readonly by: string
  /** How far an `always` reaches; the workspace by default. */
  readonly scope?: 'task' | 'session' | 'workspace' | 'user'
  readonly expiresAt?: number
  /** Why no one decided, in words that follow "but": a no that no person said. */
  readonly undecided?: string
}

/** Answers questions: a person at a screen, or a program. An exception is a no. */
export type Answerer = (question: Question) => Promise<Answer> | Answer

/** The open questions of a session. They live here, not in a surface, so that any surface can answer them. */
export interface Questions {
  /** Asks everyone attached, or `only` this one. */
  ask(card: Card, signal?: AbortSignal, only?: Answerer): Promise<Answer>
  pending(): readonly Question[]
  /** Answers one question by its id; false if it is no longer open. */
  answer(id: string, answer: Answer): boolean
  /** Adds an answerer and returns how to remove it. Without any, every question is answered no. */
  attach(answerer: Answerer): () => void
}

const NO_ANSWER: Answer = { answer: 'no', by: 'nobody' }
const UNREADABLE: Answer = {
  answer: 'no',
  by: 'an answer that cannot be understood',
  undecided: 'the answer cannot be understood',
}

export function createQuestions(clock: { now(): number; id(): string }): Questions {
  const open = new Map<string, { question: Question; settle: (answer: Answer) => void }>()
  const answerers = new Set<Answerer>()

  return {
    async ask(card, signal, only) {
      const asked = only ? [only] : [...answerers]
      if (asked.length === 0 || signal?.aborted) return NO_ANSWER
      const question: Question = { id: clock.id(), card, askedAt: clock.now() }
      return new Promise<Answer>(resolve => {
        const settle = (answer: Answer) => {
          if (!open.delete(question.id)) return
          signal?.removeEventListener('abort', cancel)
          resolve(isAnswer(answer) ? answer : UNREADABLE)
        }
        const cancel = () => settle({ answer: 'no', by: 'cancelled' })
        open.set(question.id, { question, settle })
        signal?.addEventListener('abort', cancel, { once: true })
        for (const answerer of asked) void put(answerer, question, settle)
      })
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
  const { answer, by, scope, expiresAt, undecided }: { [key: string]: unknown } = { ...given }
  if (answer !== 'yes' && answer !== 'no' && answer !== 'always') return false
  if (typeof by !== 'string' || by === '' || !SCOPES.includes(scope)) return false
  if (undecided !== undefined && (typeof undecided !== 'string' || answer !== 'no')) return false
  return expiresAt === undefined || (typeof expiresAt === 'number' && Math.abs(expiresAt) <= LATEST)
}

/** The last moment that a date can represent. */
const LATEST = 8_640_000_000_000_000

/** An answerer that fails has not said yes. */
async function put(answerer: Answerer, question: Question, settle: (answer: Answer) => void): Promise<void> {
  try {
    settle(await answerer(question))
  } catch {
    settle({ answer: 'no', by: 'failed', undecided: 'the answerer failed' })
  }
}
