import { Worker } from 'node:worker_threads'
import { ownProgram } from '../../../machine/own-program.ts'
import type { FromBuilder, ToBuilder } from './messages.ts'

type KeeperTask = ToBuilder extends infer Task
  ? Task extends { readonly id: number }
    ? Omit<Task, 'id'>
    : never
  : never

/** An idle thread ends after this time. Starting it again takes less time than reading the files that it is for. */
const IDLE_MS = 10_000

/** A thread that runs one task after another. It starts with the first, and again after it was idle. */
export interface BuilderThread {
  ask<Answer>(task: KeeperTask): Promise<Answer>
  isStarted(): boolean
  end(): Promise<void>
}

export function startThread(role: 'build' | 'search', directory: string): Worker {
  const worker = new Worker(ownProgram('search-worker'), { workerData: { role, directory } })
  // An idle thread must not keep the process alive.
  worker.unref()
  return worker
}

export function builderThread(directory: string): BuilderThread {
  let worker: Worker | undefined
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>()
  let next = 1
  let failure: Error | undefined
  const fail = (error: Error): void => {
    failure ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  let idle: NodeJS.Timeout | undefined
  const endIdle = (): void => {
    const oldWorker = worker
    worker = undefined
    void oldWorker?.terminate()
  }
  const startWorker = (): Worker => {
    const thread = startThread('build', directory)
    thread.on('message', ({ id, answer, failed }: FromBuilder) => {
      const request = waiting.get(id)
      waiting.delete(id)
      if (waiting.size === 0) {
        thread.unref()
        idle = setTimeout(endIdle, IDLE_MS).unref()
      }
      if (failed === undefined) request?.resolve(answer)
      else request?.reject(new Error(failed))
    })
    thread.on('error', error => fail(error instanceof Error ? error : new Error(String(error))))
    thread.on('exit', () => thread === worker && fail(new Error('The thread of the index ended')))
    return thread
  }
  return {
    isStarted: () => worker !== undefined,
    ask: <Answer>(task: KeeperTask) =>
      new Promise<Answer>((resolve, reject) => {
        if (failure) return reject(failure)
        clearTimeout(idle)
        const id = next++
        waiting.set(id, { resolve: answer => resolve(answer as Answer), reject })
        worker ??= startWorker()
        worker.ref()
        worker.postMessage({ ...task, id }, [])
      }),
    async end() {
      clearTimeout(idle)
      fail(new Error('The thread of the index ended'))
      await worker?.terminate()
    },
  }
}
