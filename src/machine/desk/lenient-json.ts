/** How far a lenient reader came. */
type LenientJson =
  | { readonly value: unknown; readonly end: number }
  | {
      readonly failed: true
      /** What was read until then can only have been meant as data. */
      readonly isData: boolean
      readonly end: number
    }

const MOST_DEEP = 500
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
 * Reads the object or array that begins at `start` as people and models write them: with trailing commas, comments,
 * single quotes, names without quotes, line breaks in strings, and brackets that nobody closed at the very end. What
 * could have been meant in two ways, such as a text that breaks off inside a value, is not read.
 */
export function readLenient(text: string, start: number): LenientJson {
  let at = start
  let isData = false
  try {
    return { value: value(0), end: at }
  } catch (error) {
    if (error !== UNREADABLE) throw error
    return { failed: true, isData, end: at }
  }

  function value(depth: number): unknown {
    const char = text[at]
    if (char === '{' || char === '[') {
      if (depth > 0) isData = true
      if (depth >= MOST_DEEP) throw UNREADABLE
      at++
      return char === '{' ? object(depth) : array(depth)
    }
    if (char === '"' || char === "'") return string(char)
    const number = token(NUMBER)
    // Digits that end the text may have been the first of more.
    if (number !== undefined && at < text.length) return JSON.parse(number)
    const word = token(NAME)
    if (word !== undefined && text[at] === ',') isData = true
    if (word === undefined || !WORDS.has(word)) throw UNREADABLE
    return WORDS.get(word)
  }

  function object(depth: number): unknown {
    const members = new Map<string, unknown>()
    blank()
    while (!closes('}', members.size > 0)) {
      const key = text[at] === '"' || text[at] === "'" ? quotedKey() : token(NAME)
      blank()
      if (key === undefined || text[at] !== ':') throw UNREADABLE
      isData = true
      at++
      blank()
      members.set(key, value(depth + 1))
      next('}')
    }
    return Object.fromEntries(members)
  }

  function array(depth: number): unknown {
    const items: unknown[] = []
    blank()
    while (!closes(']', items.length > 0)) {
      items.push(value(depth + 1))
      isData = true
      next(']')
    }
    return items
  }

  function quotedKey(): string {
    isData = true
    return string(text[at] ?? '')
  }

  /** Past the comma behind a member, if there is one; behind that more has to follow. */
  function next(close: string): void {
    blank()
    if (text[at] !== ',') {
      if (text[at] !== close && !isOver()) throw UNREADABLE
      return
    }
    at++
    blank()
    if (isOver()) throw UNREADABLE
  }

  function closes(close: string, hasMembers: boolean): boolean {
    if (text[at] === close) {
      at++
      return true
    }
    return hasMembers && isOver()
  }

  /** The end of the text, or of the code fence that it stands in. */
  function isOver(): boolean {
    return at >= text.length || text.startsWith('```', at)
  }

  function string(quote: string): string {
    let read = ''
    for (at++; text[at] !== quote; at++) {
      const char = text[at]
      if (char === undefined) throw UNREADABLE
      read += char === '\\' ? escaped() : char
    }
    at++
    return read
  }

  function escaped(): string {
    const char = text[++at] ?? ''
    if (char === 'u') {
      const code = text.slice(at + 1, at + 5)
      if (!/^[\da-fA-F]{4}$/.test(code)) throw UNREADABLE
      at += 4
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    const short = '"\'\\/'.includes(char) && char !== '' ? char : SHORT[char]
    if (short === undefined) throw UNREADABLE
    return short
  }

  function blank(): void {
    token(BLANK)
  }

  function token(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
}

const UNREADABLE = new Error('This is not JSON')
