/** How an answer is cut to size. */
export interface BoundOptions {
  readonly maxBytes: number
  /** How much of a long text is kept at most; default a quarter of the whole. */
  readonly preview?: number
  /** Keeps the whole and gives back the id under which `ref:ID` finds it; called only when something is cut. */
  readonly keep: (whole: string) => string
  /** Whether the answer may say in `next` where it goes on; called only when something is cut. */
  readonly pages?: () => boolean
  /** Long texts keep some of their end as well. */
  readonly keepsEnd?: boolean
}

export interface Bounded {
  /** The answer in the same shape, with long texts and lists cut. */
  readonly data: unknown
  readonly cut: boolean
  /** The size of the serialized answer before the cut. */
  readonly bytes: number
  readonly ref?: string
}

const SHORTEST = 64
/** Of a text whose end is kept: a run of tests sums up there. */
const HEAD = 0.6
/** Objects with this many keys are lists by another name. */
const MANY_KEYS = 100

/**
 * Cuts an answer so that it fits its size: long texts keep their beginning and end in a line that says how much is left and where,
 * lists lose their end, and everything keeps its type. An answer that says whether it is `truncated` says so then.
 */
export function bound(
  data: unknown,
  { maxBytes, preview = Math.ceil(maxBytes / 4), keep, pages, keepsEnd = false }: BoundOptions,
): Bounded {
  const bytes = sizeOf(data)
  if (bytes <= maxBytes) return { data, cut: false, bytes }
  const ref = keep(wholeOf(data, maxBytes))
  let caps: Caps = { text: Math.max(SHORTEST, preview), items: Infinity, ref, head: keepsEnd ? HEAD : 1 }
  const hasNext = isPage(data) && (pages?.() ?? false)
  let small = retold(data, shrink(data, caps), hasNext)
  while (sizeOf(small) > maxBytes) {
    const next = tighter(caps)
    if (!next) break
    caps = next
    small = retold(data, shrink(data, caps), hasNext)
  }
  return { data: small, cut: true, bytes, ref }
}

interface Caps {
  readonly text: number
  readonly items: number
  readonly ref: string
  /** The share of a text that is kept of its beginning. */
  readonly head: number
}

/** Texts first, down to a quarter of a line or so; then lists, down to nothing. */
function tighter(caps: Caps): Caps | undefined {
  if (caps.items === 0) return undefined
  if (caps.text > SHORTEST * 4) return { ...caps, text: Math.floor(caps.text / 2) }
  if (caps.items === Infinity) return { ...caps, items: 1 << 16 }
  return { ...caps, items: Math.floor(caps.items / 2), text: Math.max(SHORTEST, Math.floor(caps.text / 2)) }
}

/** With what an answer says of itself as a page, where a list of it lost its end. */
function retold(whole: unknown, small: unknown, hasNext: boolean): unknown {
  const [before, now]: Record<string, unknown>[] = [Object(whole), Object(small)]
  if (!before || !isPage(before)) return small
  const lists = Object.keys(before).flatMap(key => {
    const [all, shown] = [before[key], now?.[key]]
    return Array.isArray(all) && Array.isArray(shown) && shown.length < all.length ? [[all.length, shown.length]] : []
  })
  const [[all = 0, shown = 0] = []] = lists
  if (lists.length === 0) return small
  const end = before['next'] === undefined ? before['total'] : Object(before['next']).skip
  const told: Record<string, unknown> = { ...now, truncated: true }
  delete told['next']
  const isKnown = hasNext && lists.length === 1 && shown > 0 && Number.isInteger(end) && end >= all
  return isKnown ? { ...told, next: { skip: end - all + shown } } : told
}

/** `next` of what is no list of pages, such as a part of a file, says something else. */
function isPage(data: unknown): boolean {
  const { truncated, next } = Object(data)
  return typeof truncated === 'boolean' && (next === undefined || Object.keys(Object(next)).join() === 'skip')
}

function shrink(value: unknown, caps: Caps): unknown {
  if (typeof value === 'string') return cutText(value, caps)
  if (Array.isArray(value)) return value.slice(0, caps.items).map(item => shrink(item, caps))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const kept = entries.length > MANY_KEYS ? entries.slice(0, Math.max(MANY_KEYS, caps.items)) : entries
  return Object.fromEntries(kept.map(([key, inner]) => [key, shrink(inner, caps)]))
}

function cutText(text: string, { text: most, ref, head: share }: Caps): string {
  // A cut that saves less than its own notice is none.
  if (text.length <= most + SHORTEST * 2) return text
  const head = headOf(text, Math.ceil(most * share))
  const tail = tailOf(text, most - Math.ceil(most * share))
  const left = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return `${head}${head.endsWith('\n') || head === '' ? '' : '\n'}… ${left} more bytes in ref:${ref}${tail === '' ? '' : `\n${tail}`}`
}

/** Ends with a whole line where one ends in the second half, and never inside a character. */
function headOf(text: string, most: number): string {
  const line = text.lastIndexOf('\n', most - 1) + 1
  if (line > most / 2) return text.slice(0, line)
  const code = text.charCodeAt(most - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? most - 1 : most)
}

/** Begins with a whole line where one begins in the first half, and never inside a character. */
function tailOf(text: string, most: number): string {
  if (most === 0) return ''
  const start = text.length - most
  const line = text.indexOf('\n', start) + 1
  if (line > 0 && line < start + most / 2) return text.slice(line)
  const code = text.charCodeAt(start)
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? start + 1 : start)
}

/** One long text is kept as it is, so that it can be read by lines; anything else as indented JSON. */
function wholeOf(data: unknown, maxBytes: number): string {
  const texts = textsOf(data).toSorted((one, other) => other.length - one.length)
  const [longest = ''] = texts
  const rest = sizeOf(data) - sizeOf(longest)
  return rest <= maxBytes / 2 ? longest : JSON.stringify(data, null, 2)
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')
