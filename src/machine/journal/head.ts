import { closeSync, constants, fsyncSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makePrivateDirectory, openOwnFile, readOwnFile } from '../state/private-file.ts'
import { GENESIS, type Head } from './chain.ts'
import { readAt } from './lines.ts'

/** The newest record known to be on disk, kept apart from the journal, so that a journal cut short is noticed. */
export interface KeptHead {
  /** Undefined if none is kept, or what is kept is damaged. */
  read(): Head | undefined
  /** Moves the head forward, never back. The caller holds the journal's lock. */
  raise(head: Head): void
  /** Sets the head, also backwards: for a journal that has recorded its loss. */
  put(head: Head): void
  close(): void
}

/** Fixed length, so that one write in place replaces it. */
const LENGTH = 128

/** Default place: beside the journal's directory. */
export const headFileFor = (dir: string): string => `${dir}.head.json`

/** Reads the stored head. */
export function readHead(file: string): Head | undefined {
  try {
    return parse(readOwnFile(file).toString('latin1'))
  } catch {
    return undefined
  }
}

export function openHead(file: string): KeptHead {
  let fd = -1
  // It changes with a sync, and is read before every record.
  let last: { readonly text: string; readonly head: Head | undefined } | undefined

  const read = (): Head | undefined => {
    if (fd < 0) return readHead(file)
    const text = readAt(fd, 0, LENGTH).toString('latin1')
    if (last?.text !== text) last = { text, head: parse(text) }
    return last.head
  }

  const put = (head: Head, known = read()): void => {
    if (fd < 0) fd = create(file)
    writeSync(fd, `${JSON.stringify(head).padEnd(LENGTH - 1)}\n`, 0, 'latin1')
    // A new file must survive a power cut; later an old head does no harm.
    if (!known) fsyncSync(fd)
  }

  return {
    read,
    put: head => put(head),
    raise(head) {
      const storedHead = read()
      if (!storedHead || storedHead.seq < head.seq) put(head, storedHead)
    },
    close() {
      if (fd >= 0) closeSync(fd)
      fd = -1
    },
  }
}

function create(file: string): number {
  makePrivateDirectory(dirname(file))
  return openOwnFile(file, constants.O_RDWR | constants.O_CREAT)
}

function parse(text: string): Head | undefined {
  const match = /^\{"seq":(\d{1,16}),"hash":"([0-9a-f]{64})"\} *\n$/.exec(text)
  if (!match?.[1] || !match[2]) return undefined
  const head = { seq: Number(match[1]), hash: match[2] }
  return head.seq > 0 || head.hash === GENESIS.hash ? head : undefined
}
