import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ownProgram } from '../../own-program.ts'
import type { FromWorker, Kept, Parsed, ToWorker, Wanted, WorkerSettings } from './messages.ts'

/** Threads that read and parse, so that whoever holds the index never waits for a parser. */
export interface ParsePool {
  /** The next piece of what was kept; asked for before anything is parsed, and by one caller. */
  load(): Promise<Kept>
  /** Reads and parses these. What made a thread fail is given without content. */
  parse(files: readonly Wanted[]): Promise<readonly Parsed[]>
  /** Free threads, asked before more work is handed out. */
  free(): number
  prune(paths: readonly string[]): void
  close(): Promise<void>
}

interface Thread {
  readonly worker: Worker
  /** Called with the answer to what it works on. */
  job: ((message: FromWorker | 'failed') => void) | undefined
}

/** A piece of work that takes longer hangs. */
const LONGEST_MS = 60_000

export function openParsePool(settings: WorkerSettings): ParsePool {
  const most = Math.min(2, availableParallelism())
  const threads: Thread[] = []
  let isOpen = true

  const pool: ParsePool = {
    load: () =>
      run({ type: 'load' }, message =>
        message !== 'failed' && message.type === 'kept' ? message : { files: [], isLast: true },
      ),
    async parse(files) {
      const parsed = await run({ type: 'parse', files }, message =>
        message !== 'failed' && message.type === 'parsed' ? message.files : undefined,
      )
      if (parsed) return parsed
      const [only] = files
      if (files.length === 1 && only) return [only]
      // One of them ends or holds up a thread: the others are not to suffer for it.
      const each: Parsed[] = []
      for (const file of files) each.push(...(await pool.parse([file])))
      return each
    },
    free: () => (isOpen ? most - threads.filter(({ job }) => job).length : 0),
    prune(paths) {
      if (isOpen) (threads.find(({ job }) => !job) ?? start()).worker.postMessage({ type: 'prune', paths }, [])
    },
    async close() {
      isOpen = false
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
  return pool

  function run<T>(message: ToWorker, read: (message: FromWorker | 'failed') => T): Promise<T> {
    if (!isOpen) return Promise.resolve(read('failed'))
    const thread = threads.find(({ job }) => !job) ?? start()
    return new Promise(resolve => {
      // A process that waits for this must not end before it is there.
      thread.worker.ref()
      const timer = setTimeout(() => void thread.worker.terminate(), LONGEST_MS)
      thread.job = heard => {
        clearTimeout(timer)
        thread.worker.unref()
        thread.job = undefined
        resolve(read(heard))
      }
      thread.worker.postMessage(message, [])
    })
  }

  function start(): Thread {
    const worker = new Worker(ownProgram('facts-worker'), { workerData: settings })
    worker.unref()
    const thread: Thread = { worker, job: undefined }
    worker.on('message', (message: FromWorker) => thread.job?.(message))
    worker.on('error', () => {})
    worker.on('exit', () => {
      const at = threads.indexOf(thread)
      if (at >= 0) threads.splice(at, 1)
      thread.job?.('failed')
    })
    threads.push(thread)
    return thread
  }
}
