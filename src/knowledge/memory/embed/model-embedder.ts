import { Worker } from 'node:worker_threads'
import { ownProgram } from '../../../machine/own-program.ts'
import { memoryError } from '../failure.ts'
import type { Embedder } from '../types.ts'
import type { ModelFiles } from './model-files.ts'
import { runtimeFile } from './model-files.ts'
import type { FromModel, ModelThreadData, ToModel } from './model-thread.ts'

/** The model takes hundreds of megabytes, so it stops after this long without a request. */
const IDLE_MS = 60_000

interface Job {
  readonly isBackground: boolean
  /** None where only the model is waited for. */
  readonly texts: readonly string[]
  readonly vectors: Float32Array[]
  resolve(vectors: readonly Float32Array[]): void
  reject(reason: unknown): void
}

/** Runs a model in a thread. It starts with the first text, stops when idle, and never keeps the process alive. */
export function modelEmbedder(files: ModelFiles, idleMs = IDLE_MS): Embedder {
  const thread = modelThread(files, idleMs)
  return {
    name: files.name,
    directory: files.directory,
    get dimension() {
      return thread.dimension()
    },
    async embed(texts, signal, { isBackground = false } = {}) {
      return texts.length === 0 ? [] : queueTexts(thread, { texts, isBackground }, signal)
    },
    async load(signal) {
      await queueTexts(thread, { texts: [], isBackground: false }, signal)
    },
    close: () => thread.close(),
  }
}

/** Returns the vectors of the texts; abort ends the wait, not the work of the model on its current text. */
function queueTexts(
  thread: ModelThread,
  asked: Pick<Job, 'texts' | 'isBackground'>,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  if (signal.aborted) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<readonly Float32Array[]>()
  const job: Job = { ...asked, vectors: [], resolve, reject }
  const abort = (): void => {
    thread.drop(job)
    reject(signal.reason)
  }
  signal.addEventListener('abort', abort, { once: true })
  thread.add(job)
  return promise.finally(() => signal.removeEventListener('abort', abort))
}

interface ModelThread {
  dimension(): number | undefined
  add(job: Job): void
  /** Nobody waits for the job any more. A text that is under way is finished. */
  drop(job: Job): void
  close(): Promise<void>
}

function modelThread(files: ModelFiles, idleMs: number): ModelThread {
  const queue: Job[] = []
  let thread: Worker | undefined
  let running: { readonly job: Job; readonly id: number } | undefined
  let { dimension } = files
  let next = 1
  let idle: NodeJS.Timeout | undefined

  const stop = async (why: string): Promise<void> => {
    clearTimeout(idle)
    const oldThread = thread
    thread = undefined
    running = undefined
    for (const job of queue.splice(0)) job.reject(noVector(files, why))
    await oldThread?.terminate()
  }

  /** Somebody waits for a vector only if the work is not in the background. */
  const holdProcess = (): void => {
    if (queue.some(({ isBackground }) => !isBackground)) thread?.ref()
    else thread?.unref()
  }

  /** Sends one text at a time, so that a query does not wait for the rest of a long list. */
  const sendNext = (): void => {
    clearTimeout(idle)
    const [job] = queue
    if (!job && !running) idle = setTimeout(() => void stop('it was idle'), idleMs).unref()
    if (job && !running) {
      thread ??= startThread(files, take, (worker, why) => {
        if (thread === worker) void stop(why)
      })
      running = { job, id: next++ }
      const message: ToModel = { id: running.id, text: job.texts[job.vectors.length] }
      thread.postMessage(message, [])
    }
    holdProcess()
  }

  const drop = (job: Job): void => {
    const at = queue.indexOf(job)
    if (at >= 0) queue.splice(at, 1)
    holdProcess()
  }

  const take = ({ id, vector, failed }: FromModel): void => {
    if (running?.id !== id) return
    const { job } = running
    running = undefined
    if (vector) {
      dimension = vector.length
      job.vectors.push(vector)
    }
    const isWhole = job.vectors.length === job.texts.length
    if (isWhole || failed !== undefined) drop(job)
    if (failed !== undefined) job.reject(noVector(files, failed))
    else if (isWhole) job.resolve(job.vectors)
    sendNext()
  }

  return {
    dimension: () => dimension,
    add(job) {
      // A query goes before the texts of a list, and any work before that in the background.
      const later = queue.findIndex(other => urgency(other) > urgency(job))
      queue.splice(later < 0 ? queue.length : later, 0, job)
      sendNext()
    },
    drop,
    close: () => stop('it was closed'),
  }
}

const noVector = ({ name }: ModelFiles, why: string) =>
  memoryError(
    'embedding_failed',
    `${name} gave no vector: ${why}`,
    'Try again; toolwright fixes doctor shows what is wrong',
  )

function startThread(
  { directory, model }: ModelFiles,
  take: (answer: FromModel) => void,
  end: (worker: Worker, why: string) => void,
): Worker {
  const workerData: ModelThreadData = { directory, model, runtime: runtimeFile() }
  const worker = new Worker(ownProgram('model-thread'), { workerData })
  worker.on('message', take)
  worker.on('error', error => end(worker, error instanceof Error ? error.message : String(error)))
  worker.on('exit', () => end(worker, 'its thread ended'))
  return worker
}

const urgency = ({ isBackground, texts }: Job): number => (isBackground ? 2 : texts.length > 1 ? 1 : 0)
