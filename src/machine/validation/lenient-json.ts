import { MOST_LEVELS } from '../../kernel/nesting.ts'

/** Result of a lenient read. */
type LenientJson =
  | { readonly value: unknown; readonly end: number }
  | {
      readonly failed: true
      /** The part read so far can only be meant as data. */
      readonly isData: boolean
      readonly end: number
    }

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const NAME = /[A-Za-z_$][\w$]*/y
const BLANK = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])

/**
 * Reads the object or array at `start` as people and models write them: with trailing commas, comments, single quotes,
 * unquoted names, line breaks in strings, and brackets left open at the very end. Refuses ambiguous text, such as one
 * that ends inside a value.
 */
export function readLenient(text: string, start: number): LenientJson {
  const cursor: Cursor = { text, at: start, isData: false }
  try {
    return { value: value(cursor, 0), end: cursor.at }
  } catch (error) {
    if (error !== UNREADABLE) throw error
    return { failed: true, isData: cursor.isData, end: cursor.at }
  }
}

interface Cursor {
  readonly text: string
  at: number
  /** The part read so far can only be meant as data. */
  isData: boolean
}

function value(cursor: Cursor, depth: number): unknown {
  const char = cursor.text[cursor.at]
  if (char === '{' || char === '[') {
    if (depth > 0) cursor.isData = true
    if (depth >= MOST_LEVELS) throw UNREADABLE
    cursor.at++
    return char === '{' ? object(cursor, depth) : array(cursor, depth)
  }
  if (char === '"' || char === "'") return string(cursor, char)
  const number = token(cursor, NUMBER)
  // Digits at the end of the text may be incomplete.
  if (number !== undefined && cursor.at < cursor.text.length) return JSON.parse(number)
  const word = token(cursor, NAME)
  if (word !== undefined && cursor.text[cursor.at] === ',') cursor.isData = true
  if (word === undefined || !WORDS.has(word)) throw UNREADABLE
  return WORDS.get(word)
}

function object(cursor: Cursor, depth: number): unknown {
  const members = new Map<string, unknown>()
  blank(cursor)
  while (!closes(cursor, '}', members.size > 0)) {
    const key =
      cursor.text[cursor.at] === '"' || cursor.text[cursor.at] === "'" ? quotedKey(cursor) : token(cursor, NAME)
    blank(cursor)
    if (key === undefined || cursor.text[cursor.at] !== ':') throw UNREADABLE
    cursor.isData = true
    cursor.at++
    blank(cursor)
    members.set(key, value(cursor, depth + 1))
    next(cursor, '}')
  }
  return Object.fromEntries(members)
}

function array(cursor: Cursor, depth: number): unknown {
  const items: unknown[] = []
  blank(cursor)
  while (!closes(cursor, ']', items.length > 0)) {
    items.push(value(cursor, depth + 1))
    cursor.isData = true
    next(cursor, ']')
  }
  return items
}

function quotedKey(cursor: Cursor): string {
  cursor.isData = true
  return string(cursor, cursor.text[cursor.at] ?? '')
}

/** Skips the comma after a member, if any; after a comma more has to follow. */
function next(cursor: Cursor, close: string): void {
  blank(cursor)
  if (cursor.text[cursor.at] !== ',') {
    if (cursor.text[cursor.at] !== close && !isOver(cursor)) throw UNREADABLE
    return
  }
  cursor.at++
  blank(cursor)
  if (isOver(cursor)) throw UNREADABLE
}

function closes(cursor: Cursor, close: string, hasMembers: boolean): boolean {
  if (cursor.text[cursor.at] === close) {
    cursor.at++
    return true
  }
  return hasMembers && isOver(cursor)
}

/** The end of the text, or of its code fence. */
function isOver(cursor: Cursor): boolean {
  return cursor.at >= cursor.text.length || cursor.text.startsWith('```', cursor.at)
}

function string(cursor: Cursor, quote: string): string {
  let read = ''
  for (cursor.at++; cursor.text[cursor.at] !== quote; cursor.at++) {
    const char = cursor.text[cursor.at]
    if (char === undefined) throw UNREADABLE
    read += char === '\\' ? readEscape(cursor) : char
  }
  cursor.at++
  return read
}

function readEscape(cursor: Cursor): string {
  const char = cursor.text[++cursor.at] ?? ''
  if (char === 'u') {
    const code = cursor.text.slice(cursor.at + 1, cursor.at + 5)
    if (!/^[\da-fA-F]{4}$/.test(code)) throw UNREADABLE
    cursor.at += 4
    return String.fromCharCode(Number.parseInt(code, 16))
  }
  const short = '"\'\\/'.includes(char) && char !== '' ? char : SHORT[char]
  if (short === undefined) throw UNREADABLE
  return short
}

function blank(cursor: Cursor): void {
  token(cursor, BLANK)
}

function token(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const match = pattern.exec(cursor.text)?.[0]
  cursor.at += match?.length ?? 0
  return match
}

const UNREADABLE = new Error('This is not JSON')
