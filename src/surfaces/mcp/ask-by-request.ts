import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server'
import type { Answer, Question } from '../../runtime/questions.ts'
import type { CallRequest } from './call-request.ts'
import type { Peer } from './peer.ts'
import { answerOf, approvalForm, undecidedAnswer } from './approval-form.ts'

interface AskOptions {
  readonly peer: Peer
  readonly waitMs: number
  /** Message after a timeout. */
  readonly late: string
  readonly signal: AbortSignal
}

/** Asks a client of a protocol before 2026-07-28, while the call waits. */
export async function askByRequest(
  { mcpReq }: CallRequest,
  question: Question,
  { peer, waitMs, late, signal }: AskOptions,
): Promise<Answer> {
  const since = performance.now()
  try {
    const reply = await mcpReq.send(
      { method: 'elicitation/create', params: approvalForm(question, peer) },
      { timeout: waitMs, signal: AbortSignal.any([signal, question.closed]) },
    )
    return answerOf(reply, performance.now() - since, peer, question)
  } catch (error) {
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return undecidedAnswer('nobody', late)
    return undecidedAnswer(peer.name, `'${peer.name}' could not show the question`)
  }
}
