import { isUtf8 } from 'node:buffer'
import { has } from './code-points.ts'
import { word } from './unicode.ts'

const FIRST_INVALID = 0xdc00
/** Stands for an invalid byte after which ripgrep still sees the word character before it; U+DE01 if it does not. */
export const AFTER_WORD = '\\ude00'

/**
 * Decodes bytes to a text in which each byte that is not UTF-8 becomes a surrogate. No set holds surrogates. The
 * surrogate also tells lookbehind whether ripgrep, which goes back to the last byte that may begin a character, sees
 * one.
 */
export function utf8Units(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const parts: string[] = []
  /** The last character and its offset. */
  let last: { readonly char: string; readonly at: number } | undefined
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at)
    if (length > 0) {
      const char = bytes.toString('utf8', at, at + length)
      last = { char, at }
      parts.push(char)
      at += length
      continue
    }
    const byte = bytes[at] ?? 0
    at++
    // ripgrep skips only bytes that never begin a character, and looks at no more than four.
    if (byte >= 0xc0) last = undefined
    parts.push(String.fromCharCode(last === undefined || at - last.at > 4 ? FIRST_INVALID + byte : after(last.char)))
  }
  return parts.join('')
}

const after = (char: string): number => (has(word(), char.codePointAt(0) ?? 0) ? 0xde00 : 0xde01)

/** Returns the length in bytes of the character that begins here, or 0. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}
