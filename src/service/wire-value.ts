/**
 * Writes any plain value as bytes: JSON, and what JSON lacks. `undefined`, sets, maps and numbers like `Infinity` become
 * marked objects; byte arrays follow the text as they are. A value without any of them is its JSON.
 */
export function encodeValue(value: unknown): Buffer {
  const attachments: Uint8Array[] = []
  const marked = mark(value, attachments)
  const json = JSON.stringify(marked)
  if (marked === value) return Buffer.from(json)
  const text = Buffer.from(json)
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(text.length, 1)
  return Buffer.concat([head, text, ...attachments])
}

/** Returns the value that was written. Throws if the bytes are not one. */
export function decodeValue(bytes: Buffer): unknown {
  if (bytes[0] !== MARKED) return JSON.parse(bytes.toString())
  const end = HEAD + bytes.readUInt32LE(1)
  return unmark(JSON.parse(bytes.toString('utf8', HEAD, end)), bytes.subarray(end))
}

/** The first byte of a marked value, which begins no JSON; then the length of its text. */
const [MARKED, HEAD] = [0, 5]

/** The key of a marked object, and what it stands for. */
const KEY = '$'
type Mark =
  | readonly ['undefined']
  | readonly ['number', string]
  | readonly ['set' | 'map' | 'object', readonly unknown[]]
  | readonly ['bytes', from: number, length: number]

/** Returns the value itself if nothing in it needs a mark, so that long lists are not copied. */
function mark(value: unknown, attachments: Uint8Array[]): unknown {
  if (value === undefined) return { [KEY]: ['undefined'] satisfies Mark }
  if (typeof value === 'number' && !Number.isFinite(value)) return { [KEY]: ['number', String(value)] satisfies Mark }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return markAll(value, attachments)
  if (value instanceof Uint8Array) {
    const from = attachments.reduce((sum, { length }) => sum + length, 0)
    attachments.push(value)
    return { [KEY]: ['bytes', from, value.length] satisfies Mark }
  }
  if (value instanceof Set) return { [KEY]: ['set', markAll([...value], attachments)] satisfies Mark }
  if (value instanceof Map) return { [KEY]: ['map', markAll([...value], attachments)] satisfies Mark }
  if (Object.hasOwn(value, KEY))
    return { [KEY]: ['object', markAll(Object.entries(value), attachments)] satisfies Mark }
  let copy: Record<string, unknown> | undefined
  for (const [name, each] of Object.entries(value)) {
    const marked = each === undefined ? undefined : mark(each, attachments)
    if (marked === each) continue
    copy ??= { ...value }
    copy[name] = marked
  }
  return copy ?? value
}

function markAll(values: readonly unknown[], attachments: Uint8Array[]): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value === 'string') continue
    const marked = mark(value, attachments)
    if (marked === value) continue
    copy ??= [...values]
    copy[at] = marked
  }
  return copy ?? values
}

/** Restores what was marked, in place. */
function unmark(value: unknown, attachment: Buffer): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++)
      if (typeof value[at] === 'object') value[at] = unmark(value[at], attachment)
    return value
  }
  if (Object.hasOwn(value, KEY)) return restored(Reflect.get(value, KEY), attachment)
  for (const [name, each] of Object.entries(value))
    if (typeof each === 'object') Reflect.set(value, name, unmark(each, attachment))
  return value
}

function restored([kind, first, length]: Mark, attachment: Buffer): unknown {
  if (kind === 'undefined') return undefined
  if (kind === 'number') return Number(first)
  if (kind === 'bytes') return attachment.subarray(Number(first), Number(first) + Number(length))
  const values = Object(unmark(first, attachment))
  return kind === 'set' ? new Set(values) : kind === 'map' ? new Map(values) : Object.fromEntries(values)
}
