import { realpathSync } from 'node:fs'
import { isoTime } from '../../kernel/time.ts'
import { makePrivateDirectory } from '../state/private-file.ts'
import type { Head, JournalRecord } from './chain.ts'
import { headFileFor } from './head.ts'
import { readJournal, type ReadOptions } from './read.ts'
import { openWriter, type Entries, type Writer } from './writer.ts'

export interface JournalOptions {
  /** The lock file that all processes writing to this journal share. */
  readonly lock: string
  /** Where the head is kept, apart from the journal; default: beside its directory. */
  readonly headFile?: string
  readonly now?: () => number
  /** Records that are not `durable` are brought to disk together, at most this often. */
  readonly syncEveryMs?: number
  /** A file that grew to this is closed and a new one begun. */
  readonly segmentBytes?: number | (() => number)
  /** Told the size of a file that was closed. */
  readonly rotated?: (bytes: number) => void
}

export interface AppendOptions {
  readonly durable?: boolean
  /** When it happened, in milliseconds since 1970; now unless given. */
  readonly at?: number
}

/** The append-only record of everything that happened in a workspace: one chain, whoever writes to it. */
export interface Journal {
  /** Handed to the operating system when it returns; on disk too when `durable`. */
  append(entry: object, options?: AppendOptions): Head
  /** The same for many, in one go; returns the head after the last. A function makes them while nobody else can write. */
  appendAll(entries: Entries, options?: AppendOptions): Head
  /** Brings what was appended to disk. */
  sync(): void
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
let watched = false

/** Opens a journal, made if there is none, and mends what a crash left behind when the first record is written. */
export function openJournal(dir: string, options: JournalOptions): Journal {
  makePrivateDirectory(dir)
  const key = realpathSync(dir)
  const shared = open.get(key) ?? begin(key, dir, options)
  shared.users++
  let closed = false
  const now = options.now ?? Date.now

  const append = (entries: Entries, { durable = false, at = now() }: AppendOptions = {}): Head => {
    if (closed) throw new Error(`The journal ${dir} is closed`)
    return shared.writer.append(entries, isoTime(at), durable)
  }

  return {
    append: (entry, more) => append([entry], more),
    appendAll: (entries, more) => append(entries, more),
    sync: () => shared.writer.sync(),
    head: () => shared.writer.head(),
    read: more => readJournal(dir, more),
    close() {
      if (closed) return
      closed = true
      if (--shared.users > 0) return
      open.delete(key)
      shared.writer.close()
    },
  }
}

function begin(key: string, dir: string, options: JournalOptions): Shared {
  const { lock, headFile = headFileFor(dir), syncEveryMs = 200, segmentBytes: most = 64 << 20, rotated } = options
  const segmentBytes = typeof most === 'number' ? () => most : most
  const shared = { writer: openWriter(dir, { lock, headFile, syncEveryMs, segmentBytes, rotated }), users: 0 }
  if (!watched) process.once('exit', closeAll)
  watched = true
  open.set(key, shared)
  return shared
}

/** A process that ends in good order leaves its records on disk and the head with them. */
function closeAll(): void {
  for (const { writer } of open.values()) {
    try {
      writer.close()
    } catch {
      // The records are with the operating system; there is nobody left to tell.
    }
  }
  open.clear()
}
