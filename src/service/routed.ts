import type { AskOptions } from '../kernel/ask-options.ts'
import type { Knowledge } from '../knowledge/answers/knowledge.ts'
import type { Connection } from './connect.ts'
import { callNamed, remote } from './remote.ts'

/** The knowledge that the process at the other end of a connection holds. */
export const knowledgeAt = (line: Pick<Connection, 'ask'>): Knowledge => remote<Knowledge>(line)

/** How the questions of one part of the knowledge find their answers. */
interface Route<Part> {
  /** Returns a connection to the process; undefined for a question that is answered here. */
  line(question: unknown): Promise<Connection | undefined> | undefined
  /** Answers here, without the process. */
  here(): Part | Promise<Part>
  /** Time for the answer to a question that comes without. */
  defaultMs?(question: unknown): number
  /** Reports whether to answer here after the process failed with this error. Default: always. */
  continues?(error: unknown, line: Connection, leftMs: number): boolean
}

/** Answers every method of a part of the knowledge by the process if it can be reached, and here otherwise. */
export function routed<Name extends keyof Knowledge>(name: Name, route: Route<Knowledge[Name]>): Knowledge[Name] {
  const { line: reach, here, defaultMs = () => DEFAULT_MS, continues = () => true } = route
  const methods = new Map<string, unknown>()
  const methodOf = (method: string) => async (question: unknown, options?: AskOptions) => {
    const { timeoutMs, ...rest } = options ?? { timeoutMs: defaultMs(question) }
    const until = performance.now() + timeoutMs
    const left = (): AskOptions => ({ ...rest, timeoutMs: Math.max(1, until - performance.now()) })
    const line = await reach(question)
    if (line) {
      try {
        return await line.ask(`${name}.${method}`, question, left())
      } catch (error) {
        if (!continues(error, line, until - performance.now())) throw error
      }
    }
    return callNamed(await here(), method, question, left())
  }
  const part = new Proxy(
    {},
    {
      get(_, method) {
        // A promise looks for `then` in what it is resolved with.
        if (typeof method === 'symbol' || method === 'then') return undefined
        if (!methods.has(method)) methods.set(method, methodOf(method))
        return methods.get(method)
      },
    },
  )
  return part as Knowledge[Name]
}

const DEFAULT_MS = 30_000
