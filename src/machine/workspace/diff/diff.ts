import type { Concealer } from '../../../kernel/conceal.ts'
import { hunksOf } from './hunks.ts'
import { nameFromBytes, nameToBytes } from '../name.ts'

/** First bytes of common file types, as latin-1. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['\x89PNG\r\n\x1a\n', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF8', 'GIF image'],
  ['\0\0\x01\0', 'icon'],
  ['%PDF-', 'PDF'],
  ['PK\x03\x04', 'ZIP archive'],
  ['\x1f\x8b', 'gzip archive'],
  ['\xfd7zXZ\0', 'xz archive'],
  ['BZh', 'bzip2 archive'],
  ['\x7fELF', 'program (ELF)'],
  ['MZ', 'program (Windows)'],
  ['\0asm', 'WebAssembly'],
  ['wOFF', 'font'],
  ['wOF2', 'font'],
  ['\0\x01\0\0', 'font'],
  ['OTTO', 'font'],
  ['SQLite format 3\0', 'SQLite database'],
  ['ID3', 'MP3 audio'],
  ['OggS', 'Ogg media'],
]

/** Names the type of content for people, from its first bytes. */
function contentType(bytes: Buffer): string {
  if (bytes.length === 0) return 'empty'
  const head = bytes.subarray(0, 16).toString('latin1')
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'WebP image'
  const namedType = BEGINNINGS.find(([beginning]) => head.startsWith(beginning))?.[1]
  return namedType ?? (isBinary(bytes) ? 'binary data' : 'text')
}

/** Git looks for a NUL in the first 8000 bytes. */
const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0)

/** Returns bytes with a UTF-16 mark as UTF-8, without the mark; undefined for any others. */
function utf16Text(bytes: Buffer): Buffer | undefined {
  const encoding = ENCODINGS.find(({ mark }) => bytes.subarray(0, 2).equals(mark))?.name
  // The four bytes of a UTF-32 mark begin with the same two.
  if (encoding === undefined || bytes.subarray(2, 4).equals(Buffer.alloc(2))) return undefined
  try {
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const ENCODINGS = [
  { name: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { name: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
]

/** One side of a change: the bytes; for a link its target. */
export interface FileSide {
  readonly bytes: Buffer
  readonly mode: number
  readonly link?: boolean
}

export interface FileDiff {
  readonly path: string
  /** Previous path; default: the same path. */
  readonly from?: string
  readonly before?: FileSide | undefined
  readonly after?: FileSide | undefined
  /** Conceals secrets: a hunk may begin or end inside one. */
  readonly conceal?: Concealer | undefined
}

/**
 * Formats a change as git does, so that `git apply` accepts it. Spells bytes that are not UTF-8 as in file names
 * (`nameFromBytes`). Shows types and sizes for binary content. Empty for directories, which git does not track.
 */
export function unifiedDiff({ path, from = path, before, after, conceal }: FileDiff): string {
  if (before === undefined && after === undefined) return ''
  if (before !== undefined && after !== undefined && Boolean(before.link) !== Boolean(after.link))
    return unifiedDiff({ path: from, before, conceal }) + unifiedDiff({ path, after, conceal })
  const { text, kept } = bodyOf({ path, from, before, after, conceal })
  const header = headerOf(path, from, before, after, kept)
  return header.length === 0 && text === ''
    ? ''
    : `diff --git ${gitName('a/', from)} ${gitName('b/', path)}\n${header.join('')}${text}`
}

function headerOf(
  path: string,
  from: string,
  before: FileSide | undefined,
  after: FileSide | undefined,
  kept: number,
): string[] {
  if (before === undefined) return after === undefined ? [] : [`new file mode ${modeOf(after)}\n`]
  if (after === undefined) return [`deleted file mode ${modeOf(before)}\n`]
  const lines: string[] = []
  if (before.mode !== after.mode) lines.push(`old mode ${modeOf(before)}\n`, `new mode ${modeOf(after)}\n`)
  if (from !== path) {
    lines.push(`similarity index ${kept}%\n`)
    lines.push(`rename from ${gitName('', from)}\n`, `rename to ${gitName('', path)}\n`)
  }
  return lines
}

function bodyOf({ path, from, before, after, conceal }: FileDiff & { readonly from: string }): {
  readonly text: string
  readonly kept: number
} {
  const old = before?.bytes ?? EMPTY
  const now = after?.bytes ?? EMPTY
  if (old.equals(now)) return { text: '', kept: 100 }
  const oldName = before === undefined ? '/dev/null' : gitName('a/', from)
  const newName = after === undefined ? '/dev/null' : gitName('b/', path)
  const decodedTexts = decodedSides(old, now)
  if (decodedTexts) {
    const { text } = hunksOf(...shownSides(decodedTexts, conceal))
    return { text: `--- ${endName(oldName)}\n+++ ${endName(newName)}\n${DECODED}${text}`, kept: 0 }
  }
  if (isBinary(old) || isBinary(now))
    return { text: `Binary files ${oldName} and ${newName} differ\n${factsOf(before, after)}`, kept: 0 }
  const { text, kept } = hunksOf(...shownSides([old, now], conceal))
  const share = Math.min(99, Math.floor((100 * kept) / Math.max(old.length, now.length)))
  return { text: `--- ${endName(oldName)}\n+++ ${endName(newName)}\n${text}`, kept: share }
}

/** A line that git skips. Git takes such a file for data, so no diff of it could be applied. */
const DECODED = '# UTF-16, shown as text\n'

/** Returns both sides as UTF-8 if one is UTF-16 and neither is other data. */
function decodedSides(old: Buffer, now: Buffer): readonly [Buffer, Buffer] | undefined {
  const [before, after] = [utf16Text(old), utf16Text(now)]
  if ((!before && !after) || (!before && isBinary(old)) || (!after && isBinary(now))) return undefined
  return [before ?? old, after ?? now]
}

/** Returns both sides as compared, and as a reader may see them. */
function shownSides([old, now]: readonly [Buffer, Buffer], conceal: Concealer | undefined): Parameters<typeof hunksOf> {
  const show = conceal && ((side: Buffer) => nameFromBytes(conceal.part(side, 0, side.length)))
  return [nameFromBytes(old), nameFromBytes(now), show && [show(old), show(now)]]
}

/** Describes content that cannot be shown, in a line that git skips. */
function factsOf(before: FileSide | undefined, after: FileSide | undefined): string {
  const facts = ({ bytes }: FileSide): string => `${contentType(bytes)}, ${bytes.length} bytes`
  const sides = [before, after].map(side => (side === undefined ? 'no file' : facts(side)))
  return `# ${sides.join(' -> ')}\n`
}

/** Ends a name that contains a blank with a tab; otherwise GNU patch would cut it. */
const endName = (name: string): string => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name)

/** Returns every bit that lands. Git itself writes two modes, 100644 and 100755, and reads any other as the nearer. */
const modeOf = ({ mode, link }: FileSide): string => (link ? '120000' : `100${digitsOf(mode)}`)

const digitsOf = (mode: number): string => (mode & 0o777).toString(8).padStart(3, '0')

/** Describes a new directory in a line that git skips. Empty for a usual one, whose files tell enough. */
export const directoryDiff = (path: string, mode: number): string =>
  mode === 0o755 ? '' : `# ${gitName('', path)} is a new directory with mode ${digitsOf(mode)}\n`

const EMPTY = Buffer.alloc(0)

/** Quotes a path in a diff header like git: plain if possible, otherwise in double quotes with C escapes. */
function gitName(prefix: string, path: string): string {
  const bytes = Buffer.concat([Buffer.from(prefix), nameToBytes(path) ?? Buffer.from(path)])
  if (bytes.every(byte => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c)) return prefix + path
  return `"${Array.from(bytes, escape).join('')}"`
}

function escape(byte: number): string {
  const letter = ESCAPES[byte]
  if (letter !== undefined) return letter
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
}

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  0x22: '\\"',
  0x5c: '\\\\',
}
