import { closeSync, constants, fsyncSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makePrivateDirectory, openOwnFile, readOwnFile } from '../state/private-file.ts'
import { GENESIS, type Head } from './chain.ts'
import { readAt } from './lines.ts'

/** The newest record known to be on disk, kept apart from the journal, so that a journal cut short is noticed. */
export interface KeptHead {
  /** Undefined if none is kept, or what is kept is damaged. */
  read(): Head | undefined
  /** Moves the head forward, never back; the caller holds the journal's lock. */
  raise(head: Head): void
  /** Sets the head, backwards too: for a journal that has noted what it lost. */
  put(head: Head): void
  close(): void
}

/** Always this many bytes, so that one write in place replaces it. */
const LENGTH = 128

/** Beside the journal's directory, where no other place is named. */
export const headFileFor = (dir: string): string => `${dir}.head.json`

/** The head as it is kept in a file, for a reader. */
export function readHead(file: string): Head | undefined {
  try {
    return parse(readOwnFile(file).toString('latin1'))
  } catch {
    return undefined
  }
}

export function openHead(file: string): KeptHead {
  let fd = -1
  const read = (): Head | undefined => (fd < 0 ? readHead(file) : parse(readAt(fd, 0, LENGTH).toString('latin1')))

  const put = (head: Head, known = read()): void => {
    if (fd < 0) fd = create(file)
    writeSync(fd, `${JSON.stringify(head).padEnd(LENGTH - 1)}\n`, 0, 'latin1')
    // A new file has to be there after a power cut; afterwards an old head does no harm.
    if (!known) fsyncSync(fd)
  }

  return {
    read,
    put: head => put(head),
    raise(head) {
      const known = read()
      if (!known || known.seq < head.seq) put(head, known)
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
