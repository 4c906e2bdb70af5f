import { Worker } from 'node:worker_threads'
import { ownProgram } from '../../machine/own-program.ts'
import type { DocumentationFile } from '../../languages/documentation-files.ts'
import type { DocumentedPackage } from './section-types.ts'

/** `more` if the time was over first; `elsewhere` if another process is at the package. */
export type Indexed = 'done' | 'more' | 'elsewhere'

/** One package to read into a store. */
export type IndexJob = { readonly store: string; readonly package: DocumentedPackage } & (
  | {
      readonly kind: 'files'
      readonly root: string
      readonly files: readonly DocumentationFile[]
      /** The time after which the rest is left for another job. */
      readonly sliceMs: number
    }
  /** Takes a package as it is stored, because the rest of it cannot be read. */
  | { readonly kind: 'finish' }
  | { readonly kind: 'devdocs'; readonly index: string; readonly pages: string }
)

/** Reads packages into stores, one after another, in a thread of its own. */
export interface Indexer {
  /** Resolves when the package or a part of it is stored. Rejects if it cannot be, or keeps the thread busy for too long. */
  index(job: IndexJob): Promise<Indexed>
  close(): Promise<void>
}

/** Only a text made to keep us busy takes longer. */
const LONGEST_MS = 30_000
const IDLE_MS = 5_000
const MEMORY_MB = 768

export function createIndexer(): Indexer {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let [count, waiting, isClosed] = [0, 0, false]
  const stop = async (): Promise<void> => {
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }
  return {
    async index(job) {
      clearTimeout(idle)
      waiting += 1
      const result = last.then(() => (isClosed ? Promise.reject(new Error('closed')) : perform(job)))
      last = result.catch(() => {})
      try {
        return await result
      } finally {
        waiting -= 1
        if (waiting === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref()
      }
    },
    async close() {
      isClosed = true
      clearTimeout(idle)
      await stop()
    },
  }

  function perform(job: IndexJob): Promise<Indexed> {
    const at = (worker ??= startWorker())
    const id = ++count
    return new Promise((resolve, reject) => {
      const end = (result: Indexed | Error): void => {
        clearTimeout(deadline)
        at.off('message', onMessage).off('error', onEnd).off('exit', onExit)
        if (result instanceof Error) reject(result)
        else resolve(result)
      }
      const onMessage = (reply: { readonly id: number; readonly result?: Indexed; readonly error?: string }): void => {
        if (reply.id === id) end(reply.result ?? new Error(reply.error))
      }
      const onEnd = (error: Error): void => {
        worker = undefined
        end(error)
      }
      const onExit = (): void => onEnd(new Error('the thread ended'))
      const deadline = setTimeout(() => {
        void stop()
        end(new Error(`it took longer than ${LONGEST_MS / 1000} seconds`))
      }, LONGEST_MS).unref()
      at.on('message', onMessage).on('error', onEnd).on('exit', onExit)
      at.postMessage({ id, job }, [])
    })
  }

  function startWorker(): Worker {
    const thread = new Worker(ownProgram('documentation-worker'), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    // A program that has nothing else to do ends; the next one continues.
    thread.unref()
    return thread
  }
}
