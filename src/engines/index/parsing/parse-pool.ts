import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
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
  /** Keeps what was parsed, where its place is still there, and ends the threads. */
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
  /** Comes back when it is through with its last job. */
  through: Promise<unknown>
  /** Comes back when everything that it parsed has been kept; undefined where that was not asked for. */
  keeping: Promise<void> | undefined
}

const LONGEST_MS = 10_000
/** At the end a thread is waited for as long as it gets on; one that has stood still for so long is not. */
const STILL_MS = 2000

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
      if (settings.cacheFile !== undefined && existsSync(dirname(settings.cacheFile)))
        await Promise.all(threads.map(keepLast))
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
    const answer = new Promise<T>(resolve => {
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
    thread.through = answer
    return answer
  }

  async function keepLast(thread: Thread): Promise<void> {
    if (!(await gotThrough(thread)) || !threads.includes(thread)) return
    thread.keeping ??= run(thread, { type: 'keep' }, () => {})
    await gotThrough(thread)
  }

  function start(): Thread {
    const progress = new Int32Array(new SharedArrayBuffer(4))
    const workerData: WorkerData = { ...settings, progress }
    const worker = new Worker(program ?? ownProgram('facts-worker'), { workerData })
    worker.unref()
    const thread: Thread = { worker, progress, job: undefined, through: Promise.resolve(), keeping: Promise.resolve() }
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

/** False where it stood still before it was through. */
async function gotThrough({ progress, through }: Thread): Promise<boolean> {
  const over = new AbortController()
  const isThrough = through.then(() => true)
  try {
    for (let before = -1; ;) {
      const now = Atomics.load(progress, 0)
      if (now === before) return false
      before = now
      const pausing = pause(STILL_MS, false, { signal: over.signal }).catch(() => false)
      if (await Promise.race([isThrough, pausing])) return true
    }
  } finally {
    over.abort()
  }
}
