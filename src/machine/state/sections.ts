import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'

/** A file of named parts, each read on demand. */
export interface Sections {
  /** Returns undefined if it is damaged. */
  read(name: string): Buffer | undefined
  close(): void
}

/** Goes up when the layout of the file changes. */
const FORMAT = 'toolwright-sections 1'
const HEAD_BYTES = 4096

/** Header: its key, and the length and hash of each part in order. */
interface Head {
  readonly format: string
  readonly key: string
  readonly parts: readonly (readonly [name: string, bytes: number, sum: string])[]
}

/** Writes a file that only holders of the key read. The caller moves it into place. */
export function writeSections(file: string, key: string, sections: Readonly<Record<string, Uint8Array>>): void {
  const parts = Object.entries(sections)
  const head: Head = {
    format: FORMAT,
    key,
    parts: parts.map(([name, bytes]) => [name, bytes.byteLength, hash('sha256', bytes)]),
  }
  const first = Buffer.alloc(HEAD_BYTES, ' ')
  if (first.write(JSON.stringify(head)) === HEAD_BYTES)
    throw new RangeError('The head of a file of sections is too long')
  const fd = openSync(file, 'w', 0o600)
  try {
    for (const bytes of [first, ...parts.map(([, each]) => each)])
      for (let at = 0; at < bytes.byteLength;) at += writeSync(fd, bytes, at)
  } finally {
    closeSync(fd)
  }
}

/**
 * Opens such a file. Returns undefined if there is none, if it has another key, if its header is damaged, or if another
 * user could have written it.
 */
export function openSections(file: string, key: string): Sections | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    if (!isOwn(fd)) return void closeSync(fd)
    const head: Head = JSON.parse(bytesAt(fd, 0, HEAD_BYTES).toString('utf8'))
    if (head.format !== FORMAT || head.key !== key) return void closeSync(fd)
    return sectionsIn(fd, head.parts)
  } catch {
    if (fd !== undefined) closeSync(fd)
    return undefined
  }
}

function sectionsIn(fd: number, parts: Head['parts']): Sections {
  return {
    read(wanted) {
      let from = HEAD_BYTES
      for (const [name, bytes, sum] of parts) {
        if (name !== wanted) {
          from += bytes
          continue
        }
        return wholeAt(from, bytes, sum)
      }
      return undefined
    },
    close: () => closeSync(fd),
  }

  function wholeAt(from: number, length: number, sum: string): Buffer | undefined {
    try {
      const content = bytesAt(fd, from, length)
      return hash('sha256', content) === sum ? content : undefined
    } catch {
      return undefined
    }
  }
}

/** Windows reports no owners here: access lists make a profile private. */
function isOwn(fd: number): boolean {
  const { uid, mode } = fstatSync(fd)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

function bytesAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let at = 0; at < length;) {
    const read = readSync(fd, bytes, at, length - at, from + at)
    if (read === 0) throw new RangeError('The file is shorter than it says')
    at += read
  }
  return bytes
}
