import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ownProgram } from '../../own-program.ts'
import type { FromWorker, Kept, Parsed, ToWorker, Wanted, WorkerData, WorkerSettings } from './messages.ts'

/** Threads that read and parse, so that whoever holds the index never waits for a parser. */
export interface ParsePool {
  /** The next piece of what was kept; asked for before anything is parsed, and by one caller. */
  load(): Promise<Kept>
  /** Reads and parses these. What made a thread fail, or held it up for too long, is given without content. */
  parse(files: readonly Wanted[]): Promise<readonly Parsed[]>
  /** Free threads, asked before more work is handed out. */
  free(): number
  /** Keeps what was parsed, for the next start. */
  keep(): Promise<void>
  prune(paths: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface PoolSettings extends WorkerSettings {
  /** One file that takes longer hangs. */
  readonly longestMs?: number
  /** What the threads run. */
  readonly program?: string
}

interface Thread {
  readonly worker: Worker
  readonly progress: Int32Array
  /** Called with the answer to what it works on. */
  job: ((message: FromWorker | 'failed') => void) | undefined
  /** Comes back when everything that it parsed has been kept; undefined where that was not asked for. */
  keeping: Promise<void> | undefined
}

const LONGEST_MS = 10_000
/** At the end, what is still being kept is worth as much. */
const LAST_MS = 10_000

export function openParsePool({ longestMs = LONGEST_MS, program, ...settings }: PoolSettings): ParsePool {
  const most = Math.min(2, availableParallelism())
  const threads: Thread[] = []
  let isOpen = true

  const pool: ParsePool = {
    load: () =>
      run(idle(), { type: 'load' }, message =>
        message !== 'failed' && message.type === 'kept' ? message : { files: [], isLast: true },
      ),
    async parse(files) {
      if (!isOpen || files.length === 0) return []
      const thread = idle()
      const parsed = await run(thread, { type: 'parse', files }, message =>
        message !== 'failed' && message.type === 'parsed' ? message.files : undefined,
      )
      if (parsed) return parsed
      // The one that ended the thread is left alone, and the others are not to suffer for it.
      const at = Atomics.load(thread.progress, 0)
      const others = await pool.parse(files.toSpliced(at, 1))
      return isOpen ? others.toSpliced(at, 0, ...files.slice(at, at + 1)) : []
    },
    free: () => (isOpen ? most - threads.filter(({ job }) => job).length : 0),
    async keep() {
      for (const thread of threads) if (!thread.job) thread.keeping ??= run(thread, { type: 'keep' }, () => {})
      await Promise.all(threads.map(({ keeping }) => keeping))
    },
    prune: paths => (isOpen ? run(idle(), { type: 'prune', paths }, () => {}) : Promise.resolve()),
    async close() {
      const late = new AbortController()
      await Promise.race([pool.keep(), pause(LAST_MS, undefined, { signal: late.signal }).catch(() => {})])
      late.abort()
      isOpen = false
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
  return pool

  function idle(): Thread {
    return threads.find(({ job }) => !job) ?? start()
  }

  function run<T>(thread: Thread, message: ToWorker, read: (message: FromWorker | 'failed') => T): Promise<T> {
    if (!isOpen) return Promise.resolve(read('failed'))
    const { worker, progress } = thread
    return new Promise(resolve => {
      // A process that waits for this must not end before it is there.
      worker.ref()
      if (message.type === 'parse') thread.keeping = undefined
      Atomics.store(progress, 0, 0)
      let before = 0
      const timer = setInterval(() => {
        const now = Atomics.load(progress, 0)
        if (now === before) void worker.terminate()
        before = now
      }, longestMs)
      thread.job = heard => {
        clearInterval(timer)
        worker.unref()
        thread.job = undefined
        resolve(read(heard))
      }
      worker.postMessage(message, [])
    })
  }

  function start(): Thread {
    const progress = new Int32Array(new SharedArrayBuffer(4))
    const workerData: WorkerData = { ...settings, progress }
    const worker = new Worker(program ?? ownProgram('facts-worker'), { workerData })
    worker.unref()
    const thread: Thread = { worker, progress, job: undefined, keeping: Promise.resolve() }
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
