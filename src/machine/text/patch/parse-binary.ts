import { stricter } from './patch-error.ts'
import type { BinaryData } from './patch-types.ts'

const MARK = 'GIT binary patch\n'
const SHORTEST_LINE = 7

export interface ReadBinary {
  readonly forward: BinaryData
  /** The reverse change; git writes it, but a patch may lack it. */
  readonly backward: BinaryData | undefined
  readonly next: number
}

/** Reads a binary content written by `git diff --binary`. Returns undefined if none begins at this line. */
export function readBinary(lines: readonly string[], at: number): ReadBinary | undefined {
  if (lines[at] !== MARK) return undefined
  const forward = readData(lines, at + 1)
  if (forward === undefined) throw unreadable(at + 2, '`literal` or `delta` and a size are expected here')
  const backward = readData(lines, forward.next)
  return { forward: forward.data, backward: backward?.data, next: backward?.next ?? forward.next }
}

/** Reads one direction of the change: a line with kind and size, lines of data, and an empty line. */
function readData(
  lines: readonly string[],
  start: number,
): { readonly data: BinaryData; readonly next: number } | undefined {
  const [, kind, size] = /^(literal|delta) (\d{1,15})\n$/.exec(lines[start] ?? '') ?? []
  if (kind !== 'literal' && kind !== 'delta') {
    if (/^(?:literal|delta) /.test(lines[start] ?? '')) throw unreadable(start + 1, 'the size is not a number')
    return undefined
  }
  const pieces: Buffer[] = []
  let at = start + 1
  for (; lines[at] !== '\n'; at++) {
    const piece = pieceOf(lines[at] ?? '')
    if (piece === undefined) throw unreadable(at + 1, 'binary data is damaged')
    pieces.push(piece)
  }
  return { data: { kind, size: Number(size), deflated: Buffer.concat(pieces) }, next: at + 1 }
}

/** A letter for the byte count, then groups of five digits; the last group may stand for fewer than four bytes. */
function pieceOf(line: string): Buffer | undefined {
  if (line.length < SHORTEST_LINE || (line.length - 2) % 5 !== 0 || !line.endsWith('\n')) return undefined
  const length = lengthOf(line.charCodeAt(0))
  const most = ((line.length - 2) / 5) * 4
  if (length === undefined || length > most || length <= most - 4) return undefined
  return decodeBase85(line.slice(1, -1), length)
}

function lengthOf(letter: number): number | undefined {
  if (letter >= 65 && letter <= 90) return letter - 64
  return letter >= 97 && letter <= 122 ? letter - 70 : undefined
}

const unreadable = (line: number, what: string) =>
  stricter('binary', line, what, 'Make the patch again with `git diff --binary`.')

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
const DIGITS: ReadonlyMap<string, number> = new Map([...ALPHABET].map((digit, value) => [digit, value]))

const GROUP = 5
const BYTES = 4

/**
 * Decodes git's base 85: five digits for four bytes. Returns undefined for an invalid digit or an overflowing group.
 */
export function decodeBase85(text: string, length: number): Buffer | undefined {
  const groups = Math.ceil(length / BYTES)
  const bytes = Buffer.alloc(groups * BYTES)
  for (let group = 0; group < groups; group++) {
    let value = 0
    for (const digit of text.slice(group * GROUP, (group + 1) * GROUP)) {
      const worth = DIGITS.get(digit)
      if (worth === undefined) return undefined
      value = value * DIGITS.size + worth
    }
    if (value > 0xff_ff_ff_ff) return undefined
    bytes.writeUInt32BE(value, group * BYTES)
  }
  return bytes.subarray(0, length)
}
