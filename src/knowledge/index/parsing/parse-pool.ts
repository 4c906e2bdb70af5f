import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { languageOf } from '../../../languages/registry.ts'
import { ownProgram } from '../../../machine/own-program.ts'
import { LONGEST_MS } from '../../parser/ask-parser.ts'
import type { ParseFailure } from '../../parser/parser-process.ts'
import { unparsedRecord } from '../unparsed-record.ts'
import type { StoredFacts, Parsed, Wanted, WorkerSettings } from './messages.ts'
import { openParseWorkers } from './parse-workers.ts'

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

/** How long a process waits for the next change. A new one starts in a moment. */
const REST_MS = 10_000

export function openParsePool({
  longestMs = LONGEST_MS,
  program = ownProgram('parser'),
  restMs = REST_MS,
  ...settings
}: PoolSettings): ParsePool {
  const most = Math.min(2, availableParallelism())
  const workers = openParseWorkers({ settings, program, longestMs, restMs })
  let isOpen = true

  return {
    async load() {
      if (!isOpen) return NOTHING
      const { answered } = await workers.run({ type: 'load' })
      return 'answer' in answered ? (answered.answer as StoredFacts) : NOTHING
    },
    parse,
    free: () => (isOpen ? most - workers.busy() : 0),
    async prune(paths) {
      if (isOpen) await workers.run({ type: 'prune', paths })
    },
    async close() {
      if (settings.cacheFile !== undefined && existsSync(dirname(settings.cacheFile))) await workers.finish()
      isOpen = false
      await workers.release()
    },
  }

  async function parse(files: readonly Wanted[]): Promise<readonly Parsed[]> {
    if (!isOpen || files.length === 0) return []
    const { answered, at } = await workers.run({ type: 'parse', files })
    if ('answer' in answered) return answered.answer as readonly Parsed[]
    const { failed } = answered
    if (at === undefined || files.length === 1) return isOpen ? files.map(file => unparsedResult(file, failed)) : []
    // One of those from here on ended the process: each is parsed alone.
    const records = [...(await parse(files.slice(0, at)))]
    for (const file of files.slice(at)) records.push(...(await parse([file])))
    return isOpen ? records : []
  }
}

const NOTHING: StoredFacts = { files: [], isLast: true }

const unparsedResult = (file: Wanted, failed: ParseFailure): Parsed => ({
  ...file,
  ...unparsedRecord(languageOf(file.path) ?? '', failed),
})
