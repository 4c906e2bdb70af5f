import { peek, take, type Reader } from './reader.ts'

const BARE = /[A-Za-z0-9_{}![\]-]/
/** Longer than any reserved word. */
const MOST = 12

/** The unquoted word that comes next, where it has nothing in it that is special; the reader stays where it is. */
export function bareWord(reader: Reader): string {
  peek(reader)
  const start = reader.at
  let word = ''
  for (let char = peek(reader); BARE.test(char) && word.length < MOST; char = peek(reader)) word += take(reader)
  const ended = ' \t\n;&|<>()'.includes(peek(reader))
  reader.at = start
  return ended ? word : ''
}

/** Steps over a reserved word. */
export function eatWord(reader: Reader, wanted: string): boolean {
  if (bareWord(reader) !== wanted) return false
  for (const _ of wanted) take(reader)
  return true
}
