import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ownProgram } from '../../../machine/own-program.ts'
import type { KnownFile } from '../catalog.ts'
import type { Folder } from '../folder.ts'
import { isDone, STAT_FIELDS, statNextBatch, newStatRun, type StatRun } from './stat-run.ts'
import type { StatMessage } from './worker.ts'

/** Threads that help to look at every file of a large workspace. */
interface StatThreads {
  /** Assigns the files of these directories. A directory with other files is looked at separately. */
  assign(folders: Iterable<Folder>): void
  /** Starts to look below the directory at this path. Returns undefined if there are no threads. */
  begin(start: string): SharedStat | undefined
  close(): void
}

export interface SharedStat {
  /** Looks at some files in this thread. Returns false if all are taken. */
  on(): boolean
  /** Failed if another thread ended early. */
  state(): 'looking' | 'over' | 'failed'
  /** Reports whether a file of an assigned directory is certainly unchanged. */
  isSame(place: number, known: KnownFile): boolean
}

export function createStatThreads(): StatThreads {
  const threads: Worker[] = []
  let paths: readonly string[] = []
  let looks = new Float64Array(new SharedArrayBuffer(0))
  let isBroken = false

  const post = (message: StatMessage): void => {
    for (const thread of threads) thread.postMessage(message, [])
  }
  const open = (): void => {
    if (threads.length > 0 || isBroken) return
    for (let count = Math.min(3, availableParallelism() - 1); count > 0; count--) {
      const thread = new Worker(ownProgram('stat-worker'))
      thread.unref()
      thread.on('error', () => (isBroken = true))
      thread.on('exit', () => (isBroken = true))
      threads.push(thread)
    }
  }

  return {
    assign(folders) {
      open()
      const all: string[] = []
      for (const folder of folders) {
        folder.looked = all.length
        for (const name of folder.files.keys()) all.push(folder.bytes + name)
      }
      paths = all
      looks = new Float64Array(new SharedArrayBuffer(all.length * STAT_FIELDS * 8))
      post({ paths: all.join('\0') })
    },
    begin(start) {
      if (isBroken || threads.length === 0 || paths.length === 0) return undefined
      const round = newStatRun(start, looks)
      post({ round })
      return sharedStat(paths, round, () => isBroken)
    },
    close() {
      isBroken = true
      for (const thread of threads) void thread.terminate()
    },
  }
}

function sharedStat(paths: readonly string[], round: StatRun, isBroken: () => boolean): SharedStat {
  const { seen } = round
  return {
    on: () => statNextBatch(paths, round),
    state: () => (isDone(paths, round) ? 'over' : isBroken() ? 'failed' : 'looking'),
    isSame(place, known) {
      const at = place * STAT_FIELDS
      return (
        !known.racy &&
        known.ctimeMs === seen[at + 3] &&
        known.mtimeMs === seen[at + 2] &&
        known.size === seen[at + 1] &&
        known.ino === seen[at]
      )
    },
  }
}
