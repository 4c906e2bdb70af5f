import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer, Answerer, Question } from '../../runtime/questions.ts'
import type { CallRequest } from './call-request.ts'
import { progressFor, type Progress } from './progress.ts'

export interface Asked {
  readonly question: Question
  readonly settle: (answer: Answer) => void
}

type Step = { readonly result: CallToolResult } | { readonly asked: Asked }

/** A tool call as its work sees it. */
export interface RunningCall {
  readonly signal: AbortSignal
  /** Asks the client by the result of its request; absent if no other request could bring the answer. */
  readonly ask?: Answerer
  say(text: string): void
}

/** One tool call from its first request to its result, across the client's requests that wait for it. */
export interface OpenCall extends RunningCall {
  readonly name: string
  readonly input: unknown
  /** Returns the next step: the result, or a question to answer first. */
  next(request: CallRequest): Promise<Step>
  end(): void
}

const CLOSED: Answer = { answer: 'no', by: 'nobody' }

/** Makes a call that one request waits for from its beginning to its end. */
export async function callOnce(
  request: CallRequest,
  work: (call: RunningCall) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const progress = progressFor(request)
  try {
    return await work({ signal: request.mcpReq.signal, say: progress.say })
  } finally {
    progress.stop()
  }
}

/** Starts a call. It continues between the requests that wait for it, and ends when one of them is cancelled. */
export function openCall(name: string, input: unknown, work: (call: OpenCall) => Promise<CallToolResult>): OpenCall {
  const controller = new AbortController()
  let question = Promise.withResolvers<Step>()
  let progress: Progress | undefined
  const call: OpenCall = {
    name,
    input,
    signal: controller.signal,
    ask: put =>
      new Promise(resolve => {
        let isOpen = true
        const settle = (answer: Answer) => {
          if (!isOpen) return
          isOpen = false
          question = Promise.withResolvers()
          resolve(answer)
        }
        // Answered elsewhere: the next request of the client waits for the result, not for its answer.
        put.closed.addEventListener('abort', () => settle(CLOSED), { once: true })
        question.resolve({ asked: { question: put, settle } })
      }),
    say: text => progress?.say(text),
    async next(request) {
      const { signal } = request.mcpReq
      if (signal.aborted) call.end()
      signal.addEventListener('abort', call.end, { once: true })
      progress = progressFor(request)
      try {
        return await Promise.race([result, question.promise])
      } finally {
        signal.removeEventListener('abort', call.end)
        progress.stop()
        progress = undefined
      }
    },
    end: () => controller.abort(),
  }
  const result = work(call).then(done => ({ result: done }))
  // A waiting request sees the failure; between two requests there is none.
  result.catch(() => {})
  return call
}
