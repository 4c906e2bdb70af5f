import type { Limit } from '../code/graph/host/graph-host.ts'
import type { Tree } from '../code/graph/host/messages.ts'
import type { Graphs } from '../code/graph/open-graphs.ts'
import type { Connection } from './connect.ts'
import type { AskAnswer, AskQuestion, PrepareQuestion, SentTree } from './graph-part.ts'
import type { Resident } from './open-resident.ts'

/** Margin in which the process itself gives up in time, with the reason. */
const MARGIN_MS = 1500
/** Larger staged contents are not sent to another process. */
const MOST_BYTES = 8 * 1024 ** 2

/**
 * The graphs of the resident process, or our own if there is none or it ends. Both use the same store, so each finds
 * what the other has built.
 */
export function residentGraphs(resident: Resident, localGraphs: Graphs): Graphs {
  return {
    ...localGraphs,
    prepare(tree, limit) {
      const send = (line: Connection, left: Limit) => {
        const { timeoutMs } = left
        return line.ask<string>(
          'graph.prepare',
          { tree: serialiseTree(tree), timeoutMs } satisfies PrepareQuestion,
          askOptions(left),
        )
      }
      return either(limit, isTooMuch(tree) ? undefined : send, left => localGraphs.prepare(tree, left))
    },
    ask(which, question, limit) {
      const send = async (line: Connection, left: Limit) => {
        const { timeoutMs } = left
        const params = { which, question: { ...question, timeoutMs }, timeoutMs } satisfies AskQuestion
        const answer = await line.ask<AskAnswer>('graph.ask', params, askOptions(left))
        if (answer && 'failure' in answer) throw new Error(answer.failure)
        return answer?.rows
      }
      return either(limit, send, left => localGraphs.ask(which, { ...question, timeoutMs: left.timeoutMs }, left))
    },
  }

  async function either<T>(
    { timeoutMs, signal }: Limit,
    remote: ((line: Connection, left: Limit) => Promise<T>) | undefined,
    local: (left: Limit) => Promise<T>,
  ): Promise<T> {
    const until = Date.now() + timeoutMs
    const remainingLimit = (): Limit => ({ timeoutMs: Math.max(1, until - Date.now()), signal })
    const line = remote && (await resident.reach())
    if (!remote || !line) return local(remainingLimit())
    try {
      return await remote(line, remainingLimit())
    } catch (error) {
      if (line.isOpen() || signal?.aborted || Date.now() >= until) throw error
      return local(remainingLimit())
    }
  }
}

const askOptions = ({ timeoutMs, signal }: Limit) => ({ timeoutMs: timeoutMs + MARGIN_MS, ...(signal && { signal }) })

const isTooMuch = ({ files }: Tree): boolean =>
  files.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0) > MOST_BYTES

const serialiseTree = ({ files, ...tree }: Tree): SentTree => ({
  ...tree,
  files: files.map(({ bytes, ...file }) =>
    bytes === undefined ? file : { ...file, content: Buffer.from(bytes).toString('base64') },
  ),
})
