import { isScript, languageOf } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import { once } from '../../../kernel/once.ts'
import { hasGrammar } from '../../model/grammar/load-language.ts'
import { fileOf } from '../callers/ask-server.ts'
import type { CodeParts } from '../code-parts.ts'
import { deadlineOf, within } from '../servers/deadline.ts'
import { isAbsent } from '../servers/server-error.ts'
import type { CodeQuestion, AnswerBasis } from '../types.ts'

/** Time to read the text. If less is left after waiting for the server, both run in parallel. */
const TEXT_MS = 10_000
/** Reading the text starts this long before the wait ends, so that its result is ready then. */
const AHEAD_MS = 5_000
/** Time for the text after the wait for the server; it reports what it has not read by then. */
const REST_MS = 1_000
/** Time to return a finished result of the text. */
const HAND_ON_MS = 200

/**
 * Asks the server, or reads the text if no server serves the language. If the server has not answered in `waitMs`,
 * returns a provisional result from the text; if the text cannot answer, the server gets all of the question's time.
 * `readsScripts`: the text of JavaScript and TypeScript can answer this question too.
 */
export async function serverOrText<Q extends CodeQuestion, T extends AnswerBasis>(
  parts: CodeParts,
  question: Q,
  ask: (question: Q) => Promise<T>,
  read: (path: string, question: Q) => Promise<T>,
  readsScripts = false,
): Promise<T> {
  const deadline = deadlineOf(question)
  const remainingMs = () => deadline.at - performance.now()
  const path = await fileOf(parts, question, deadline)
  const language = languageOf(path)
  const hasText = language !== undefined && hasGrammar(language)
  const isReadable = hasText || (readsScripts && isScript(language))
  const waitMs = isReadable ? question.waitMs : undefined
  const patience = waitMs === undefined ? remainingMs() : Math.min(waitMs, remainingMs() - HAND_ON_MS)
  let enoughAt = waitMs === undefined ? Infinity : performance.now() + patience + REST_MS
  const isEnough = () => performance.now() >= enoughAt
  const text = once(() => read(path, { ...question, path, deadlineMs: remainingMs(), isEnough }))
  const inTime = Math.max(remainingMs() - TEXT_MS, remainingMs() / 2)
  // A loaded server answers in half of any wait: then nothing is read.
  const beginsIn = Math.min(inTime, Math.max(patience - AHEAD_MS, patience / 2))
  const early = waitMs === undefined ? undefined : setTimeout(() => text().catch(() => {}), beginsIn)
  try {
    return await ask({ ...question, path, deadlineMs: patience })
  } catch (error) {
    if (!(error instanceof ToolError) || !isReadable) throw error
    if (error.code === 'timeout' && waitMs !== undefined)
      return provisional(await within(deadline, text(), () => error).catch(unlessUnknown(error)), error)
    // The server of scripts is installed with us: a failure of it should be fixed, not hidden.
    if (error.code !== 'unavailable' || !hasText) throw error
    // The text is the only source left: it gets all of the question's time.
    enoughAt = Infinity
    const textAnswer = await text()
    return isAbsent(error) ? textAnswer : { ...textAnswer, why: inWords(error) }
  } finally {
    clearTimeout(early)
  }
}

/** What the text does not know by name a server may: `const make: Make = made`. Then it is the server that is late. */
const unlessUnknown =
  (late: ToolError) =>
  (error: unknown): never => {
    throw error instanceof ToolError && error.code === 'no_match' ? late : error
  }

/** Marks a result as provisional, with the reason and a hint. */
const provisional = <T extends AnswerBasis>(found: T, error: ToolError): T => ({
  ...found,
  provisional: true,
  partial: true,
  why: inWords(error),
})

const inWords = ({ message, hint }: ToolError): string => (hint === undefined ? message : `${message}. ${hint}`)
