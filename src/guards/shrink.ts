/** The maximum length of the texts and lists in an answer. */
export interface Caps {
  readonly text: number
  readonly items: number
}

export const WHOLE = Infinity

/** About as long as the notice that replaces the cut part. */
const NOTICE = 128
/** The share of the beginning if the end is kept too: a test run has its summary there. */
const HEAD = 0.6
/** Objects with this many keys are treated as lists. */
const MANY_KEYS = 100

/** What a text is a part of, under the id of a reference. */
export interface StoredText {
  readonly ref: string
  readonly bytes: number
}

type StoredIn = (text: string) => StoredText

/** Returns the length of the longest list and of the longest text. */
export function extentOf(value: unknown): Caps {
  if (typeof value === 'string') return { items: 0, text: value.length }
  if (typeof value !== 'object' || value === null) return { items: 0, text: 0 }
  let [items, text] = [Array.isArray(value) || isLongObject(value) ? Object.keys(value).length : 0, 0]
  for (const inner of Object.values(value)) {
    const extent = extentOf(inner)
    items = Math.max(items, extent.items)
    text = Math.max(text, extent.text)
  }
  return { items, text }
}

/** Cuts the texts and lists of an answer to these caps; cut texts name the reference to the whole. */
export function shrink(value: unknown, caps: Caps, whole: StoredIn, keepsEnd: boolean): unknown {
  const inside = (inner: unknown): unknown => shrink(inner, caps, whole, keepsEnd)
  if (typeof value === 'string') return cutText(value, caps.text, whole, keepsEnd ? HEAD : 1)
  if (Array.isArray(value)) return value.slice(0, caps.items).map(inside)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const keptEntries = isLongObject(value) ? entries.slice(0, Math.max(MANY_KEYS, caps.items)) : entries
  return Object.fromEntries(keptEntries.map(([key, inner]) => [key, inside(inner)]))
}

const isLongObject = (value: object): boolean => Object.keys(value).length > MANY_KEYS

/** Reports whether a length is cut. A cut that saves less than its own notice is none. */
export const isCutLength = (length: number, most: number): boolean => length > most + NOTICE

/** The notice gets a line of its own among lines, and stays on the line of a one-line text. */
function cutText(text: string, most: number, whole: StoredIn, share: number): string {
  if (!isCutLength(text.length, most)) return text
  const head = headOf(text, Math.ceil(most * share))
  const tail = tailOf(text, most - Math.ceil(most * share))
  const { ref, bytes } = whole(text)
  const bytesLeft = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)
  const gap = text.includes('\n') ? '\n' : ' '
  return `${head}${head.endsWith(gap) || head === '' ? '' : gap}… ${bytesLeft} more bytes in ref:${ref}${tail === '' ? '' : `${gap}${tail}`}`
}

/** Ends with a whole line if one ends in the second half, and never inside a character. */
export function headOf(text: string, most: number): string {
  if (most === 0) return ''
  const line = text.lastIndexOf('\n', most - 1) + 1
  if (line > most / 2) return text.slice(0, line)
  const code = text.charCodeAt(most - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? most - 1 : most)
}

/** Begins with a whole line if one begins in the first half, and never inside a character. */
export function tailOf(text: string, most: number): string {
  if (most === 0) return ''
  const start = text.length - most
  const line = text.indexOf('\n', start) + 1
  if (line > 0 && line < start + most / 2) return text.slice(line)
  const code = text.charCodeAt(start)
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? start + 1 : start)
}
