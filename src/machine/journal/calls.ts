import { randomBytes } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory, readOwnFile } from '../state/private-file.ts'
import { isRunning, thisProcess } from '../state/process-identity.ts'
import type { AppendOptions, Journal } from './journal.ts'
import type { CallRecord, IntentRecord } from './record.ts'

/** Records of one process's calls: each call that changes something begins with an intent. */
export interface Calls {
  /** Throws if the intent cannot be written: then nothing may change. */
  begin(intent: IntentRecord, options: AppendOptions): void
  /** Syncs intents that were written without. Throws on failure: then nothing may change. */
  sync(): void
  /** Throws if the record cannot be written. The record of a call that began is retried with the next one. */
  end(record: Pick<CallRecord, 'id'>, options: AppendOptions): void
  close(): void
}

/**
 * Also stores unfinished calls in a file named after the process. Opening a workspace thus finds those of dead
 * processes without reading the journal.
 */
export function openCalls(directory: string, journal: Journal): Calls {
  const open = new Set<string>()
  const unwritten: Pick<CallRecord, 'id'>[] = []
  let file = ''
  let fd = -1

  const note = (line: string): void => {
    if (fd < 0) {
      makePrivateDirectory(directory)
      file = join(directory, nameOf(thisProcess(), journal.head().seq))
      fd = openSync(file, 'ax', 0o600)
    }
    writeSync(fd, line)
  }

  const forget = (ids: readonly string[]): void => {
    for (const id of ids) {
      if (!open.delete(id)) continue
      try {
        if (open.size === 0) ftruncateSync(fd, 0)
        else note(`-${id}\n`)
      } catch {
        // The journal holds the record and is authoritative.
      }
    }
  }

  return {
    begin(intent, options) {
      // Before the intent: an unlisted intent would never get an outcome.
      if (!open.has(intent.id)) note(`+${intent.id}\n`)
      open.add(intent.id)
      journal.append(intent, options)
    },
    sync: () => journal.flush(),
    end(record, options) {
      const records = [...unwritten, record]
      try {
        journal.appendAll(records, options)
      } catch (error) {
        if (open.has(record.id)) unwritten.push(record)
        throw error
      }
      unwritten.length = 0
      forget(records.map(({ id }) => id))
    },
    close() {
      if (fd < 0) return
      closeSync(fd)
      fd = -1
      if (open.size === 0) rmSync(file, { force: true })
      // This process may live on, but no longer ends these calls.
      else renameSync(file, join(directory, nameOf({ pid: 0, start: '' }, seqOf(file))))
    },
  }
}

/** Returns the files of all processes, including running ones. */
export function callFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** A dead process's file, with its unfinished calls. */
interface LeftCalls {
  readonly file: string
  readonly ids: ReadonlySet<string>
  /** The last record before the first of them. */
  readonly after: number
}

/** Reads the named files in the directory of `openCalls`, for dead processes only. */
export const leftCalls = (directory: string, names: readonly string[]): LeftCalls[] =>
  names.flatMap(name => {
    const [, pid, boot = '', ticks = '', after] = NAME.exec(name) ?? []
    if (pid === undefined) return []
    const start = ticks === '' ? '' : `${boot}:${ticks}`
    if (pid !== '0' && isRunning({ pid: Number(pid), start })) return []
    const file = join(directory, name)
    return [{ file, ids: idsIn(readOwnFile(file).toString('latin1')), after: Number(after) }]
  })

function idsIn(text: string): Set<string> {
  const ids = new Set<string>()
  for (const line of text.split('\n'))
    if (line.startsWith('+')) ids.add(line.slice(1))
    else if (line.startsWith('-')) ids.delete(line.slice(1))
  return ids
}

const NAME = /^(\d+)-(?:([0-9a-f]+)-(\d+))?-(\d+)-[0-9a-f]+$/

const nameOf = ({ pid, start }: { readonly pid: number; readonly start: string }, after: number): string =>
  `${pid}-${start.replace(':', '-')}-${after}-${randomBytes(6).toString('hex')}`

const seqOf = (file: string): number => Number(file.split('-').at(-2))
