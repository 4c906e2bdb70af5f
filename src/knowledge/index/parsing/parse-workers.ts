import { setTimeout as pause } from 'node:timers/promises'
import type { Answered } from '../../parser/parser-process.ts'
import { isLarge, takeParserProcess, type ReleasedProcess } from '../../parser/spare-processes.ts'
import type { ToWorker, WorkerSettings } from './messages.ts'

/** The processes of a pool. Each does one request at a time. */
interface ParseWorkers {
  /** Starts a process if all have work. */
  run(message: ToWorker): Promise<Heard>
  busy(): number
  /** Waits for work that makes progress. */
  finish(): Promise<void>
  /** Leaves the processes to the next pool. */
  release(): Promise<void>
}

interface Heard {
  readonly answered: Answered
  /** Position in the list before which no item made a process fail; undefined if not even a new process began it. */
  readonly at?: number | undefined
}

interface WorkersSettings {
  readonly settings: WorkerSettings
  readonly program: string
  readonly longestMs: number
  readonly restMs: number
}

interface Worker {
  readonly process: ReleasedProcess
  /** Resolves when its last job is done. */
  through: Promise<unknown>
}

/** A process gets time while it makes progress. One without progress for this long does not. */
const STILL_MS = 2000

/** How long a process that has grown waits for the next change. */
const LARGE_REST_MS = 100

export function openParseWorkers({ settings, program, longestMs, restMs }: WorkersSettings): ParseWorkers {
  const workers: Worker[] = []
  let isOpen = true
  let resting: NodeJS.Timeout | undefined

  return {
    async run(message) {
      const first = workers.find(({ process }) => !process.isBusy()) ?? start()
      const reply = await ask(first, message)
      const at = first.process.progress()
      // The system may kill a process that rests: no file is the reason.
      if ('answer' in reply || at !== undefined || !isOpen) return { answered: reply, at }
      const second = start(true)
      return { answered: await ask(second, message), at: second.process.progress() }
    },
    busy: () => workers.filter(({ process }) => process.isBusy()).length,
    async finish() {
      await Promise.all(workers.map(gotThrough))
    },
    async release() {
      isOpen = false
      clearTimeout(resting)
      await Promise.all(workers.splice(0).map(({ process }) => process.release()))
    },
  }

  function ask(worker: Worker, message: ToWorker): Promise<Answered> {
    const reply = worker.process.ask(message)
    worker.through = reply
    // Stored facts come in pieces, and only the process that began them knows the next.
    if (message.type !== 'load') void reply.then(rest)
    return reply
  }

  function rest(): void {
    clearTimeout(resting)
    if (!isOpen) return
    const endLarge = (): void => {
      endIdle(({ process }) => isLarge(process))
      resting = setTimeout(endIdle, restMs).unref()
    }
    resting = setTimeout(endLarge, Math.min(LARGE_REST_MS, restMs)).unref()
  }

  /** Takes idle processes out of the pool, so that none gets work, and ends them. */
  function endIdle(shouldEnd: (worker: Worker) => boolean = () => true): void {
    const ending = workers.filter(worker => !worker.process.isBusy() && shouldEnd(worker))
    workers.splice(0, Infinity, ...workers.filter(worker => !ending.includes(worker)))
    for (const { process } of ending) void process.end()
  }

  function start(isNew = false): Worker {
    const process = takeParserProcess({
      isNew,
      program,
      settings,
      // A low priority stays.
      kind: settings.isPatient ? 'patient' : 'prompt',
      longestMs,
      onExit() {
        const at = workers.indexOf(worker)
        if (at >= 0) workers.splice(at, 1)
      },
    })
    const worker: Worker = { process, through: Promise.resolve() }
    workers.push(worker)
    return worker
  }
}

/** Resolves when a process has finished its job or makes no progress. */
async function gotThrough({ process, through }: Worker): Promise<void> {
  const over = new AbortController()
  const isThrough = through.then(() => true)
  for (let before: number | undefined = -1, now = process.progress(); now !== before; now = process.progress()) {
    before = now
    const pausing = pause(STILL_MS, false, { signal: over.signal }).catch(() => false)
    if (await Promise.race([isThrough, pausing])) break
  }
  over.abort()
}
