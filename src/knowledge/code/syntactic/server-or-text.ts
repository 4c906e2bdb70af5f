import { ToolError } from '../../../kernel/error.ts'
import { once } from '../../../kernel/once.ts'
import { hasGrammar } from '../../model/grammar/load-language.ts'
import { languageOf } from '../../model/languages.ts'
import { fileOf } from '../callers/ask-server.ts'
import type { CodeParts } from '../code-parts.ts'
import { isScript } from '../resolve/family.ts'
import { deadlineOf, within } from '../servers/deadline.ts'
import { isAbsent } from '../servers/server-error.ts'
import type { CodeQuestion, AnswerBasis } from '../types.ts'

/** What reading the text may take: where no more is left after the wait for the server, it is read meanwhile. */
const TEXT_MS = 10_000
/** The text is read so long before the wait is over, so that its answer comes when it is. */
const AHEAD_MS = 5_000
/** What the text may take when the wait for the server is over; it says what it has not read by then. */
const REST_MS = 1_000
/** An answer of the text that is there already is handed on in this time. */
const HAND_ON_MS = 200

/**
 * Asks the server, and where none answers for the language the text itself. Of a server that has not answered in
 * `waitMs` the text answers in its place, and the answer is provisional; where the text cannot, the server has all the
 * time of the question. `readsScripts`: the text of JavaScript and TypeScript answers this question too.
 */
export async function serverOrText<Q extends CodeQuestion, T extends AnswerBasis>(
  parts: CodeParts,
  question: Q,
  ask: (question: Q) => Promise<T>,
  read: (path: string, question: Q) => Promise<T>,
  readsScripts = false,
): Promise<T> {
  const deadline = deadlineOf(question)
  const left = () => deadline.at - performance.now()
  const path = await fileOf(parts, question, deadline)
  const language = languageOf(path)
  const hasText = language !== undefined && hasGrammar(language)
  const isReadable = hasText || (readsScripts && isScript(language ?? ''))
  const waitMs = isReadable ? question.waitMs : undefined
  const patience = waitMs === undefined ? left() : Math.min(waitMs, left() - HAND_ON_MS)
  let enoughAt = waitMs === undefined ? Infinity : performance.now() + patience + REST_MS
  const isEnough = () => performance.now() >= enoughAt
  const text = once(() => read(path, { ...question, path, deadlineMs: left(), isEnough }))
  const inTime = Math.max(left() - TEXT_MS, left() / 2)
  // A server that is loaded answers in half of any wait: then nothing is read.
  const beginsIn = Math.min(inTime, Math.max(patience - AHEAD_MS, patience / 2))
  const early = waitMs === undefined ? undefined : setTimeout(() => text().catch(() => {}), beginsIn)
  try {
    return await ask({ ...question, path, deadlineMs: patience })
  } catch (error) {
    if (!(error instanceof ToolError) || !isReadable) throw error
    if (error.code === 'timeout' && waitMs !== undefined)
      return provisional(await within(deadline, text(), () => error), error)
    // The server of scripts is installed along: what keeps it from answering is to be mended.
    if (error.code !== 'unavailable' || !hasText) throw error
    // Nobody else answers: the text has all the time of the question.
    enoughAt = Infinity
    const found = await text()
    return isAbsent(error) ? found : { ...found, why: inWords(error) }
  } finally {
    clearTimeout(early)
  }
}

/** What the server would add is not known: with why, and what can be done. */
const provisional = <T extends AnswerBasis>(found: T, error: ToolError): T => ({
  ...found,
  provisional: true,
  partial: true,
  why: inWords(error),
})

const inWords = ({ message, hint }: ToolError): string => (hint === undefined ? message : `${message}. ${hint}`)
