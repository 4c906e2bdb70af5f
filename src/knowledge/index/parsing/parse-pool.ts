import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownProgram } from '../../../machine/own-program.ts'
import { LONGEST_MS } from '../../parser/ask-parser.ts'
import type { Answered, ParseFailure } from '../../parser/parser-process.ts'
import { takeParserProcess, type ReleasedProcess } from '../../parser/spare-processes.ts'
import { languageOf } from '../../model/languages.ts'
import { unparsedRecord } from '../unparsed-record.ts'
import type { StoredFacts, Parsed, ToWorker, Wanted, WorkerSettings } from './messages.ts'

/** Processes that read and parse, so that the holder of the index neither waits for a parser nor crashes with it. */
interface ParsePool {
  /** Returns the next piece of stored facts. Called by one caller, before anything is parsed. */
  load(): Promise<StoredFacts>
  /** Reads and parses these. A file that ended or blocked a process is returned without content, with the reason. */
  parse(files: readonly Wanted[]): Promise<readonly Parsed[]>
  /** Returns the number of free processes, asked before more work is given out. */
  free(): number
  prune(paths: readonly string[]): Promise<void>
  /** Waits for running work that can still be stored, and leaves its processes to the next pool; others end. */
  close(): Promise<void>
}

interface PoolSettings extends WorkerSettings {
  /** A single file that takes longer hangs. */
  readonly longestMs?: number
  /** Program of the processes. */
  readonly program?: string
  /** A process without work for this long ends. */
  readonly restMs?: number
}

interface Worker {
  readonly process: ReleasedProcess
  /** Resolves when its last job is done. */
  through: Promise<unknown>
}

/** On close, a process gets time while it makes progress. One without progress for this long does not. */
const STILL_MS = 2000

/** A process that waits for the next change. A new one starts in a moment. */
const REST_MS = 10_000
/** A build leaves a process with several times the memory that a change needs. */
const LARGE_BYTES = 128 * 1024 ** 2
const LARGE_REST_MS = 100

export function openParsePool({
  longestMs = LONGEST_MS,
  program,
  restMs = REST_MS,
  ...settings
}: PoolSettings): ParsePool {
  const most = Math.min(2, availableParallelism())
  const workers: Worker[] = []
  let isOpen = true
  let resting: NodeJS.Timeout | undefined

  const pool: ParsePool = {
    async load() {
      if (!isOpen) return { files: [], isLast: true }
      const heard = await run(idle(), { type: 'load' })
      return 'answer' in heard ? (heard.answer as StoredFacts) : { files: [], isLast: true }
    },
    parse: files => parse(files),
    free: () => (isOpen ? most - workers.filter(({ process }) => process.isBusy()).length : 0),
    async prune(paths) {
      if (isOpen) await run(idle(), { type: 'prune', paths })
    },
    async close() {
      if (settings.cacheFile !== undefined && existsSync(dirname(settings.cacheFile)))
        await Promise.all(workers.map(gotThrough))
      isOpen = false
      clearTimeout(resting)
      await Promise.all(workers.splice(0).map(({ process }) => process.release()))
    },
  }
  return pool

  async function parse(files: readonly Wanted[], isSecondTry = false): Promise<readonly Parsed[]> {
    if (!isOpen || files.length === 0) return []
    const worker = idle()
    const heard = await run(worker, { type: 'parse', files })
    if ('answer' in heard) return heard.answer as readonly Parsed[]
    const at = worker.process.progress()
    // A process that rested may be killed by the system: no file is the reason.
    if (at === undefined && !isSecondTry) return parse(files, true)
    return parseOthers(files, at ?? 0, heard.failed)
  }

  /** Leaves out the file that ended a process, so that the others are still parsed. */
  async function parseOthers(files: readonly Wanted[], at: number, failed: ParseFailure): Promise<readonly Parsed[]> {
    const others = await parse(files.toSpliced(at, 1))
    return isOpen ? others.toSpliced(at, 0, ...files.slice(at, at + 1).map(file => unparsed(file, failed))) : []
  }

  function idle(): Worker {
    return workers.find(({ process }) => !process.isBusy()) ?? start()
  }

  function run(worker: Worker, message: ToWorker): Promise<Answered> {
    if (!isOpen) return Promise.resolve({ failed: 'crash' })
    const answer = worker.process.ask(message)
    worker.through = answer
    // Stored facts come in pieces, and only the process that began them knows the next.
    if (message.type !== 'load') void answer.then(rest)
    return answer
  }

  function rest(): void {
    clearTimeout(resting)
    if (!isOpen) return
    resting = setTimeout(
      () => {
        endIdle(({ process }) => process.bytes() > LARGE_BYTES)
        resting = setTimeout(endIdle, restMs).unref()
      },
      Math.min(LARGE_REST_MS, restMs),
    ).unref()
  }

  /** Takes idle processes out of the pool, so that none gets work, and ends them. */
  function endIdle(isMeant: (worker: Worker) => boolean = () => true): void {
    const ending = workers.filter(worker => !worker.process.isBusy() && isMeant(worker))
    workers.splice(0, Infinity, ...workers.filter(worker => !ending.includes(worker)))
    for (const { process } of ending) void process.end()
  }

  function start(): Worker {
    const process = takeParserProcess({
      program: program ?? ownProgram('parser'),
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

const unparsed = (file: Wanted, failed: ParseFailure): Parsed => ({
  ...file,
  ...unparsedRecord(languageOf(file.path) ?? '', failed),
})

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
