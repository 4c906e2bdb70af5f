import { nameToBytes } from '../name.ts'

/** A path in a diff header as git quotes it: plain where it can be, else in double quotes with C escapes. */
export function gitName(prefix: string, path: string): string {
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
