import { ToolError } from '../kernel/error.ts'
import type { PendingApproval, PendingApprovals, PendingQuestion, TakenAnswer } from '../kernel/pending-approval.ts'
import { CANCELLED, isUndecided, type Answer, type AskedHere } from './questions.ts'

/** The list of the workspace, which every process of the user sees. */
interface QuestionList {
  open(): Promise<PendingApprovals>
  readonly waitMs: number | undefined
  /** Called once a question is in the list. Returns what to call when it is closed. */
  readonly onAsked?: ((question: PendingApproval) => () => void) | undefined
}

/**
 * Publishes a question while it is asked here. The first answer wins everywhere: one that comes second is not used, and
 * whoever gave it learns who was first.
 */
export async function askEverywhere(
  questionList: QuestionList,
  here: AskedHere,
  questionOf: () => PendingQuestion,
): Promise<Answer> {
  try {
    return await inList(questionList, await questionList.open(), here, questionOf())
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    // Without the list a question is what it was before: one that is asked here.
    return here.isAsked ? here.answer : noOne(`no one can be asked: ${error.message}`)
  }
}

async function inList(
  { waitMs, onAsked }: QuestionList,
  list: PendingApprovals,
  here: AskedHere,
  question: PendingQuestion,
): Promise<Answer> {
  const unusedAnswer = list.take({ digest: question.digest })
  if (unusedAnswer) {
    here.close(unusedAnswer)
    return answerOf(list, unusedAnswer)
  }
  const pending = list.ask(question)
  const { id } = pending
  const waitAbort = new AbortController()
  const stopTelling = onAsked?.(pending)
  try {
    const elsewhere = list.wait(id, waitAbort.signal).then(closed => ({ closed }))
    const first = await Promise.race([here.answer.then(answer => ({ answer })), elsewhere])
    if ('closed' in first) return closedElsewhere(list, here, id, first.closed)
    const { answer } = first
    if (answer.by === CANCELLED) {
      list.withdraw(id, 'the call was cancelled')
      return answer
    }
    if (isUndecided(answer)) {
      if (waitMs !== undefined) return closedElsewhere(list, here, id, (await elsewhere).closed)
      list.withdraw(id, answer.undecided ?? 'no one was asked')
      return answer
    }
    return answeredHere(list, here, pending, answer)
  } finally {
    waitAbort.abort()
    stopTelling?.()
  }
}

/** Enters an answer from here into the list. Another that was entered before wins. */
function answeredHere(
  list: PendingApprovals,
  here: AskedHere,
  { id, digest, always }: Pick<PendingApproval, 'id' | 'digest' | 'always'>,
  answer: Answer,
): Answer {
  const { hunks, scope, reason, by } = answer
  // A program may answer always to a question that does not offer it: the call is then approved once.
  const recordedAnswer = answer.answer === 'always' && always === undefined ? 'yes' : answer.answer
  try {
    const answerDetails = { ...(hunks && { hunks }), ...(scope && { scope }), ...(reason !== undefined && { reason }) }
    list.answer(id, { answer: recordedAnswer, ...answerDetails, digest }, by)
    const takenAnswer = list.take({ id })
    return takenAnswer ? { ...answer, use: () => list.use(id) } : answer
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    if (error.code === 'conflict') return closedElsewhere(list, here, id, list.get(id))
    list.withdraw(id, error.message)
    return { answer: 'no', by, undecided: error.message }
  }
}

function closedElsewhere(
  list: PendingApprovals,
  here: AskedHere,
  id: string,
  closed: PendingApproval | undefined,
): Answer {
  const acceptedAnswer = closed?.state === 'answered' ? list.take({ id }) : undefined
  here.close(acceptedAnswer)
  if (acceptedAnswer) return answerOf(list, acceptedAnswer)
  return noOne(closed?.state === 'expired' ? lateIn(closed) : 'the question was closed without an answer')
}

const answerOf = (list: PendingApprovals, { at: _at, id, ...answer }: TakenAnswer): Answer => ({
  ...answer,
  use: () => list.use(id),
})

const noOne = (undecided: string): Answer => ({ answer: 'no', by: 'nobody', undecided })

const lateIn = ({ askedAt, until = askedAt }: PendingApproval): string =>
  `no one answered within ${Math.round((Date.parse(until) - Date.parse(askedAt)) / 1000)} s`
