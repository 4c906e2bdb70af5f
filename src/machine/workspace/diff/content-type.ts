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
export function contentType(bytes: Buffer): string {
  if (bytes.length === 0) return 'empty'
  const head = bytes.subarray(0, 16).toString('latin1')
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'WebP image'
  const namedType = BEGINNINGS.find(([beginning]) => head.startsWith(beginning))?.[1]
  return namedType ?? (isBinary(bytes) ? 'binary data' : 'text')
}

/** Git looks for a NUL in the first 8000 bytes. */
export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0)
