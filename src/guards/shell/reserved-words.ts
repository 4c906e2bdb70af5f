import { peek, take, type Reader } from './reader.ts'

const BARE = /[A-Za-z0-9_{}![\]-]/
/** Longer than any reserved word. */
const MOST = 12

/** Returns the next unquoted word, if nothing in it is special; the reader does not move. */
export function bareWord(reader: Reader): string {
  peek(reader)
  const start = reader.at
  let word = ''
  for (let char = peek(reader); BARE.test(char) && word.length < MOST; char = peek(reader)) word += take(reader)
  const isWordEnd = ' \t\n;&|<>()'.includes(peek(reader))
  reader.at = start
  return isWordEnd ? word : ''
}

/** Skips a reserved word. */
export function eatWord(reader: Reader, expectedWord: string): boolean {
  if (bareWord(reader) !== expectedWord) return false
  for (const _ of expectedWord) take(reader)
  return true
}
