import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownProgram } from '../../../machine/own-program.ts'
import { LONGEST_MS } from '../../parser/ask-parser.ts'
import { startParserProcess, type Answered, type ParserProcess } from '../../parser/parser-process.ts'
import { languageOf } from '../../model/languages.ts'
import { unparsedRecord } from '../unparsed-record.ts'
import type { Kept, Parsed, ToWorker, Wanted, WorkerSettings } from './messages.ts'

/** Processes that read and parse, so that whoever holds the index never waits for a parser, nor falls with it. */
interface ParsePool {
  /** The next piece of what was kept; asked for before anything is parsed, and by one caller. */
  load(): Promise<Kept>
  /** Reads and parses these. What ended a process, or held it up for too long, is given without content and says why. */
  parse(files: readonly Wanted[]): Promise<readonly Parsed[]>
  /** Free processes, asked before more work is handed out. */
  free(): number
  prune(paths: readonly string[]): Promise<void>
  /** Ends the processes; what they are parsing is waited for, where it can still be kept. */
  close(): Promise<void>
}

interface PoolSettings extends WorkerSettings {
  /** One file that takes longer hangs. */
  readonly longestMs?: number
  /** What the processes run. */
  readonly program?: string
}

interface Worker {
  readonly process: ParserProcess
  /** Comes back when it is through with its last job. */
  through: Promise<unknown>
}

/** At the end a process is waited for as long as it gets on; one that has stood still for so long is not. */
const STILL_MS = 2000

export function openParsePool({ longestMs = LONGEST_MS, program, ...settings }: PoolSettings): ParsePool {
  const most = Math.min(2, availableParallelism())
  const workers: Worker[] = []
  let isOpen = true

  const pool: ParsePool = {
    async load() {
      const heard = await run(idle(), { type: 'load' })
      return 'answer' in heard ? (heard.answer as Kept) : { files: [], isLast: true }
    },
    async parse(files) {
      if (!isOpen || files.length === 0) return []
      const worker = idle()
      const heard = await run(worker, { type: 'parse', files })
      if ('answer' in heard) return heard.answer as readonly Parsed[]
      // The one that ended the process is left alone, and the others are not to suffer for it.
      const at = worker.process.progress()
      const others = await pool.parse(files.toSpliced(at, 1))
      const left = files
        .slice(at, at + 1)
        .map(file => ({ ...file, ...unparsedRecord(languageOf(file.path) ?? '', heard.failed) }))
      return isOpen ? others.toSpliced(at, 0, ...left) : []
    },
    free: () => (isOpen ? most - workers.filter(({ process }) => process.isBusy()).length : 0),
    async prune(paths) {
      if (isOpen) await run(idle(), { type: 'prune', paths })
    },
    async close() {
      if (settings.cacheFile !== undefined && existsSync(dirname(settings.cacheFile)))
        await Promise.all(workers.map(gotThrough))
      isOpen = false
      await Promise.all(workers.map(({ process }) => process.end()))
    },
  }
  return pool

  function idle(): Worker {
    return workers.find(({ process }) => !process.isBusy()) ?? start()
  }

  function run(worker: Worker, message: ToWorker): Promise<Answered> {
    if (!isOpen) return Promise.resolve({ failed: 'crash' })
    const answer = worker.process.ask(message)
    worker.through = answer
    return answer
  }

  function start(): Worker {
    const process = startParserProcess({
      program: program ?? ownProgram('parser'),
      settings,
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

/** Comes back when a process is through with its job, or stands still in it. */
async function gotThrough({ process, through }: Worker): Promise<void> {
  const over = new AbortController()
  const isThrough = through.then(() => true)
  for (let before = -1, now = process.progress(); now !== before; now = process.progress()) {
    before = now
    const pausing = pause(STILL_MS, false, { signal: over.signal }).catch(() => false)
    if (await Promise.race([isThrough, pausing])) break
  }
  over.abort()
}
