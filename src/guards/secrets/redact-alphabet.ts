import { once } from '../../kernel/once.ts'

/**
 * Tables that turn bytes into the symbols the search runs on. A text symbol keeps what survives every common
 * encoding: letters without case and accents, digits, and other letters by a short number. Zero is no symbol.
 */
export const noDigit = 255

export const isWord = (byte: number): boolean =>
  (byte > 47 && byte < 58) || (byte > 64 && byte < 91) || (byte > 96 && byte < 123)

/** Maps ASCII letters to lower case, and everything else to itself. */
export const foldedBytes = Uint8Array.from({ length: 256 }, (_, byte) => (byte > 64 && byte < 91 ? byte + 32 : byte))

const symbolOfAscii = (byte: number): number => {
  if (!isWord(byte)) return 0
  return byte < 58 ? byte - 47 : (byte | 32) - 86
}

/** 1 to 36 for digits and letters, 0 for every other byte. */
export const byteSymbol = Uint8Array.from({ length: 256 }, (_, byte) => symbolOfAscii(byte))

/** The characters of base64 in order. */
export const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Maps a base64 character to its six bits, url-safe ones too. */
export const base64Digit = new Uint8Array(256).fill(noDigit)
for (let at = 0; at < 64; at += 1) base64Digit[base64Digits.charCodeAt(at)] = at
base64Digit[0x2d] = 62
base64Digit[0x5f] = 63

/** Maps a hexadecimal character to its four bits. */
export const hexDigit = new Uint8Array(256).fill(noDigit)
for (let at = 0; at < 16; at += 1) {
  hexDigit[at.toString(16).charCodeAt(0)] = at
  hexDigit[at.toString(16).toUpperCase().charCodeAt(0)] = at
}

/** Reports whether a character takes no room on a screen and so can hide inside a value. */
export const isIgnorable = (code: number): boolean =>
  code >= 0x80 && (code === 0x34f || ignorable().test(String.fromCodePoint(code)))

const ignorable = once(() => /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u)

/** Maps the wide forms of ASCII that East Asian keyboards write to ASCII. */
export const narrow = (code: number): number => (code > 0xff00 && code < 0xff5f ? code - 0xfee0 : code)

const alphabetic = (wide: number): number => {
  const code = narrow(wide)
  const text = String.fromCodePoint(code)
  if (/^[\p{M}\p{Cc}\p{Z}]$/u.test(text) || isIgnorable(code)) return 0
  const base = text.normalize('NFD').toLowerCase().codePointAt(0) ?? 0
  return base < 0x80 ? symbolOfAscii(base) : 37 + (base % 27)
}

let accentTable: Uint8Array | undefined

/** Returns the symbol of any character. The table for accented letters is built on first use. */
export const symbolOf = (code: number): number => {
  if (code < 0x80) return byteSymbol[code] ?? 0
  if (code >= 0x2000) return code < 0xd800 ? plainSymbol(code) : alphabetic(code)
  accentTable ??= Uint8Array.from({ length: 0x2000 }, (_, at) => alphabetic(at))
  return accentTable[code] ?? 0
}

/** Punctuation and ideographs, where case and accents hardly occur. */
const plainSymbol = (code: number): number => (code < 0x3041 ? alphabetic(code) : 37 + (code % 27))
