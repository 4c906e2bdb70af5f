import { getSystemErrorName } from 'node:util'
import { Worker } from 'node:worker_threads'

/** Threads that wait for the disk in parallel, so that several syncs take little longer than one. */
export interface SyncThreads {
  /** False until they have started, and for good after the disk failed to respond to one. */
  isReady(): boolean
  /** Syncs open files and directories, and runs `own` in the meantime. Throws the first error of any. */
  sync(fds: readonly number[], own: () => void): void
}

/** A commit of two files has three files to sync; the caller's own sync is the fourth. */
const COUNT = 3
const PATIENCE_MS = 120_000

// Shared: the number of started threads and of threads waiting for the disk. Per thread: the descriptor to sync (0:
// none) and its errno.
const STARTED = 0
const WAITING = 1
const REQUEST = 2
const ERRNO = REQUEST + COUNT
const LENGTH = ERRNO + COUNT

export function startSyncThreads(): SyncThreads {
  const sharedCells = new Int32Array(new SharedArrayBuffer(LENGTH * Int32Array.BYTES_PER_ELEMENT))
  for (let index = 0; index < COUNT; index++) {
    const worker = new Worker(THREAD, { eval: true, workerData: { shared: sharedCells, index }, resourceLimits: SMALL })
    worker.on('error', () => Atomics.store(sharedCells, STARTED, 0))
    worker.unref()
  }

  /** At most one per thread. */
  const begin = (fds: readonly number[]): void => {
    Atomics.store(sharedCells, WAITING, fds.length)
    for (const [index, fd] of fds.entries()) {
      Atomics.store(sharedCells, ERRNO + index, 0)
      Atomics.store(sharedCells, REQUEST + index, fd + 1)
      Atomics.notify(sharedCells, REQUEST + index)
    }
  }

  const finish = (count: number): void => {
    const deadline = Date.now() + PATIENCE_MS
    for (let pendingCount = count; pendingCount > 0; pendingCount = Atomics.load(sharedCells, WAITING)) {
      if (Date.now() < deadline) {
        Atomics.wait(sharedCells, WAITING, pendingCount, PATIENCE_MS)
        continue
      }
      Atomics.store(sharedCells, STARTED, 0)
      throw syncError('ETIMEDOUT')
    }
    for (let index = 0; index < count; index++) {
      const errno = Atomics.load(sharedCells, ERRNO + index)
      if (errno !== 0) throw syncError(getSystemErrorName(errno))
    }
  }

  return {
    isReady: () => Atomics.load(sharedCells, STARTED) === COUNT,
    sync(fds, own) {
      const first = fds.slice(0, COUNT)
      begin(first)
      try {
        own()
      } finally {
        finish(first.length)
      }
      for (let at = COUNT; at < fds.length; at += COUNT) {
        const next = fds.slice(at, at + COUNT)
        begin(next)
        finish(next.length)
      }
    },
  }
}

const SMALL = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

const THREAD = `
const { fsyncSync } = require('node:fs')
const { workerData: { shared, index } } = require('node:worker_threads')
Atomics.add(shared, ${STARTED}, 1)
for (;;) {
  Atomics.wait(shared, ${REQUEST} + index, 0)
  try {
    fsyncSync(Atomics.load(shared, ${REQUEST} + index) - 1)
  } catch (error) {
    Atomics.store(shared, ${ERRNO} + index, error.errno)
  }
  Atomics.store(shared, ${REQUEST} + index, 0)
  Atomics.sub(shared, ${WAITING}, 1)
  Atomics.notify(shared, ${WAITING})
}
`

const syncError = (code: string): Error => Object.assign(new Error(`${code}: fsync`), { code, syscall: 'fsync' })
