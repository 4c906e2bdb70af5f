import type { Worker } from 'node:worker_threads'
import type { FoundLines } from './found-lines.ts'
import type { AttachedSegment, FromSearcher, SearchEnd, SearchTask, ToSearcher } from './messages.ts'
import { sharedArrays } from './segment.ts'
import { startThread } from './threads.ts'

interface SearchedRuns {
  readonly end: SearchEnd
  readonly found: readonly FoundLines[]
  readonly timedOut: boolean
}

interface SearchTimes {
  readonly timeoutMs: number
  /** Limit for a pattern whose time may grow faster than the text; part of the total. */
  readonly matchMs: number
  /** Limit until a thread is free; part of the total. */
  readonly waitMs: number
}

/** Threads that run patterns. Each can be ended at any moment. */
export interface Searchers {
  /** Sets the segments to search from now on. */
  attach(segments: readonly AttachedSegment[], ranks: Float64Array<SharedArrayBuffer>): void
  search(task: SearchTask, times: SearchTimes, signal: AbortSignal | undefined): Promise<SearchedRuns>
  end(): Promise<void>
}

interface Thread {
  worker: Worker
  /** It has started, and does not keep a search waiting that it helps with. */
  isReady: boolean
  job: Job | undefined
}

interface Job {
  readonly id: number
  readonly task: SearchTask
  readonly found: FoundLines[]
  readonly threads: Set<Thread>
  /** Shared with the threads: not 0 once they must stop. */
  readonly flag: Int32Array<SharedArrayBuffer>
  end: SearchEnd
  /** Starts the time limit of a pattern that may never end. */
  limit(): void
  finish(timedOut: boolean): void
}

/** A thread that does not stop within this time is ended. */
const GRACE_MS = 50

/** Starts one thread; more, up to a number, once there is work for them: each takes time to start and memory. */
export const openSearchers = (directory: string, most: number): Searchers => new SearchThreads(directory, most)

class SearchThreads implements Searchers {
  readonly #directory: string
  readonly #most: number
  readonly #threads: Thread[] = []
  #attached: ToSearcher | undefined
  #next = 1
  #isOpen = true
  readonly #queue: Job[] = []
  readonly #ends = new Set<Promise<unknown>>()

  constructor(directory: string, most: number) {
    this.#directory = directory
    this.#most = most
    this.#start()
  }

  attach(segments: readonly AttachedSegment[], ranks: Float64Array<SharedArrayBuffer>): void {
    const attachMessage: ToSearcher = { type: 'attach', segments, ranks }
    this.#attached = attachMessage
    for (const { worker } of this.#threads) worker.postMessage(attachMessage, [])
  }

  search(
    task: SearchTask,
    { timeoutMs, matchMs, waitMs }: SearchTimes,
    signal: AbortSignal | undefined,
  ): Promise<SearchedRuns> {
    return new Promise(resolve => {
      const flag = sharedArrays.ints(1)
      let grace: NodeJS.Timeout | undefined
      const stop = (why: number): void => {
        Atomics.compareExchange(flag, 0, 0, why)
        grace ??= setTimeout(() => this.#drop(job, why), GRACE_MS)
      }
      const onAbort = () => stop(STOP)
      const timer = setTimeout(() => stop(TIME), timeoutMs)
      let [limit, patience]: (NodeJS.Timeout | undefined)[] = []
      const giveUp = (): void => {
        stop(STOP)
        // Does not wait for the thread to stop.
        resolve({ end: { how: 'slow' }, found: [], timedOut: false })
      }
      const job: Job = {
        id: this.#next++,
        task,
        found: [],
        threads: new Set(),
        flag,
        end: { how: 'searched' },
        limit: () => (limit ??= setTimeout(giveUp, matchMs)),
        finish(timedOut) {
          for (const one of [timer, limit, patience, grace]) clearTimeout(one)
          signal?.removeEventListener('abort', onAbort)
          resolve({ end: job.end, found: job.found, timedOut })
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const idle = this.#threads.find(thread => !thread.job) ?? this.#start()
      if (idle) give(idle, job, { type: 'search', id: job.id, task, flag })
      else {
        this.#queue.push(job)
        patience = setTimeout(() => this.#leave(job), waitMs)
      }
    })
  }

  async end(): Promise<void> {
    this.#isOpen = false
    for (const { job } of this.#threads) if (job) this.#drop(job, STOP)
    await Promise.all([...this.#threads.map(({ worker }) => worker.terminate()), ...this.#ends])
  }

  #start(): Thread | undefined {
    if (!this.#isOpen || this.#threads.length >= this.#most) return undefined
    const thread: Thread = { worker: startThread('search', this.#directory), job: undefined, isReady: false }
    this.#listen(thread)
    if (this.#attached) thread.worker.postMessage(this.#attached, [])
    this.#threads.push(thread)
    return thread
  }

  #listen(thread: Thread): void {
    const { worker } = thread
    worker.on('online', () => {
      if (thread.worker === worker) thread.isReady = true
    })
    worker.on('message', (message: FromSearcher) => {
      if (thread.worker === worker) this.#take(thread, message)
    })
    worker.on('error', error => {
      if (thread.worker !== worker) return
      const { job } = thread
      this.#restart(thread)
      if (job) this.#fail(job, error instanceof Error ? error.message : String(error))
    })
  }

  #restart(thread: Thread): void {
    const termination = thread.worker.terminate()
    this.#ends.add(termination)
    void termination.finally(() => this.#ends.delete(termination))
    if (!this.#isOpen) return
    thread.job = undefined
    thread.isReady = false
    thread.worker = startThread('search', this.#directory)
    this.#listen(thread)
    if (this.#attached) thread.worker.postMessage(this.#attached, [])
  }

  #take(thread: Thread, message: FromSearcher): void {
    const { job } = thread
    if (!job || job.id !== message.id) return
    if (message.type === 'unsteady') job.limit()
    else if (message.type === 'found') job.found.push(message.found)
    else if (message.type === 'runs') {
      for (const other of this.#threads)
        if (!other.job && other.isReady)
          give(other, job, { type: 'help', id: job.id, task: job.task, runs: message.runs, flag: job.flag })
      // For the next search of this size: this one would have to wait for it.
      this.#start()
    } else {
      if (message.end.how !== 'searched') job.end = message.end
      this.#release(thread, job)
      if (job.threads.size === 0) job.finish(job.flag[0] === TIME)
    }
  }

  #release(thread: Thread, job: Job): void {
    job.threads.delete(thread)
    thread.job = undefined
    thread.worker.unref()
    const waiting = this.#queue.shift()
    if (waiting) give(thread, waiting, { type: 'search', id: waiting.id, task: waiting.task, flag: waiting.flag })
  }

  #fail(job: Job, message: string): void {
    job.end = { how: 'failed', code: 'internal', message }
    this.#drop(job, STOP)
  }

  /** Ends its running parts. */
  #drop(job: Job, why: number): void {
    for (const thread of job.threads) this.#restart(thread)
    job.threads.clear()
    const at = this.#queue.indexOf(job)
    if (at >= 0) this.#queue.splice(at, 1)
    job.finish(why === TIME)
    for (const thread of this.#threads) {
      const waiting = thread.job ? undefined : this.#queue.shift()
      if (waiting) give(thread, waiting, { type: 'search', id: waiting.id, task: waiting.task, flag: waiting.flag })
    }
  }

  /** A scan answers requests that no thread has started. */
  #leave(job: Job): void {
    const at = this.#queue.indexOf(job)
    if (at < 0) return
    this.#queue.splice(at, 1)
    job.end = { how: 'busy' }
    job.finish(false)
  }
}

function give(thread: Thread, job: Job, message: ToSearcher): void {
  thread.job = job
  job.threads.add(thread)
  thread.worker.ref()
  thread.worker.postMessage(message, [])
}

const [STOP, TIME] = [1, 2]
