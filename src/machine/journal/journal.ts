import { realpathSync } from 'node:fs'
import { isoTime } from '../../kernel/time.ts'
import { makePrivateDirectory } from '../state/private-file.ts'
import type { Head, JournalRecord } from './chain.ts'
import { headFileFor } from './head.ts'
import { readJournal, type ReadOptions } from './read.ts'
import { openWriter, type Entries, type Writer } from './writer.ts'

export interface JournalOptions {
  /** Lock file shared by all processes that write to this journal. */
  readonly lock: string
  /** File of the head, apart from the journal; default: beside its directory. */
  readonly headFile?: string
  readonly now?: () => number
  /** Minimum interval between syncs of records that are not `durable`. */
  readonly syncEveryMs?: number
  /** Size at which a file is closed and a new one begun. */
  readonly segmentBytes?: number | (() => number)
  /** Called with the size of a closed file. */
  readonly rotated?: (bytes: number) => void
}

export interface AppendOptions {
  readonly durable?: boolean
  /** Time of the event, in milliseconds since 1970; default: now. */
  readonly at?: number
}

/** The append-only record of all events in a workspace: one chain for all writers. */
export interface Journal {
  /** Passes the entry to the operating system before it returns; to disk if `durable`. */
  append(entry: object, options?: AppendOptions): Head
  /** Appends many entries at once and returns the last head. A function builds them under the write lock. */
  appendAll(entries: Entries, options?: AppendOptions): Head
  /** Syncs all appended entries. */
  sync(): void
  /** The same for a caller that appends again: the kept head follows later. */
  flush(): void
  head(): Head
  read(options?: ReadOptions): Iterable<JournalRecord>
  close(): void
}

interface Shared {
  readonly writer: Writer
  users: number
}

/** Two writers in one process would both believe that they hold the lock. */
const open = new Map<string, Shared>()
let isWatching = false

/** Opens a journal, creating it if missing. The first write repairs what a crash left behind. */
export function openJournal(dir: string, options: JournalOptions): Journal {
  makePrivateDirectory(dir)
  const key = realpathSync(dir)
  const sharedWriter = open.get(key) ?? begin(key, dir, options)
  sharedWriter.users++
  let isClosed = false
  const now = options.now ?? Date.now

  const append = (entries: Entries, { durable = false, at = now() }: AppendOptions = {}): Head => {
    if (isClosed) throw new Error(`The journal ${dir} is closed`)
    return sharedWriter.writer.append(entries, isoTime(at), durable)
  }

  return {
    append: (entry, more) => append([entry], more),
    appendAll: (entries, more) => append(entries, more),
    sync: () => sharedWriter.writer.sync(),
    flush: () => sharedWriter.writer.flush(),
    head: () => sharedWriter.writer.head(),
    read: more => readJournal(dir, more),
    close() {
      if (isClosed) return
      isClosed = true
      if (--sharedWriter.users > 0) return
      open.delete(key)
      sharedWriter.writer.close()
    },
  }
}

function begin(key: string, dir: string, options: JournalOptions): Shared {
  const { lock, headFile = headFileFor(dir), syncEveryMs = 200, segmentBytes: most = 64 << 20, rotated } = options
  const segmentBytes = typeof most === 'number' ? () => most : most
  const sharedWriter = { writer: openWriter(dir, { lock, headFile, syncEveryMs, segmentBytes, rotated }), users: 0 }
  if (!isWatching) process.once('exit', closeAll)
  isWatching = true
  open.set(key, sharedWriter)
  return sharedWriter
}

/** A process that exits normally syncs its records and the head. */
function closeAll(): void {
  for (const { writer } of open.values()) {
    try {
      writer.close()
    } catch {
      // The operating system has the records; no caller is left to receive an error.
    }
  }
  open.clear()
}
