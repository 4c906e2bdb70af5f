const DEEPEST = 1000

/**
 * Returns a value as JSON that `unpack` reads back. Tags bytes, maps and large integers, and drops what means nothing
 * outside its process (functions, signals). The result is a copy that later changes do not affect.
 */
export function pack(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) throw new TypeError('is nested too deeply')
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
  if (typeof value === 'function' || typeof value === 'symbol' || value instanceof AbortSignal) return undefined
  if (typeof value !== 'object' || value === null) return value
  // An entry of a list that JSON cannot hold keeps its place.
  if (Array.isArray(value)) return value.map(item => pack(item, depth + 1) ?? null)
  if (value instanceof Uint8Array) return packBytes(value)
  if (value instanceof Map) return { $map: [...value].map(entry => entry.map(part => pack(part, depth + 1))) }
  if (value instanceof Set) return { $set: [...value].map(item => pack(item, depth + 1)) }
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const packedItem = pack(item, depth + 1)
    return packedItem === undefined ? [] : [[key, packedItem] as const]
  })
  // fromEntries defines properties, so an own key named __proto__ stays an ordinary key.
  const object = Object.fromEntries(entries)
  return entries.length === 1 && entries[0]?.[0].startsWith('$') ? { $plain: object } : object
}

/** Restores a packed value; `textOf` returns the long texts that were stored apart. */
export function unpack(value: unknown, textOf: (id: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => unpack(item, textOf))
  const entries = Object.entries(value)
  const [[tag, taggedValue] = ['', undefined]] = entries
  if (entries.length === 1 && tag.startsWith('$')) return untag(tag, taggedValue, textOf)
  return Object.fromEntries(entries.map(([key, item]) => [key, unpack(item, textOf)]))
}

function untag(tag: string, held: unknown, textOf: (id: string) => string): unknown {
  const items = () => (Array.isArray(held) ? held : fail(tag)).map(item => unpack(item, textOf))
  switch (tag) {
    case '$text':
      return textOf(String(held))
    case '$bigint':
      return BigInt(String(held))
    case '$number':
      return Number(held)
    case '$utf8':
      return Buffer.from(String(unpack(held, textOf)))
    case '$base64':
      return Buffer.from(String(unpack(held, textOf)), 'base64')
    case '$map':
      return new Map(items().map(entry => (Array.isArray(entry) ? [entry[0], entry[1]] : fail(tag))))
    case '$set':
      return new Set(items())
    case '$plain':
      if (typeof held !== 'object' || held === null) return fail(tag)
      return Object.fromEntries(Object.entries(held).map(([key, item]) => [key, unpack(item, textOf)]))
    default:
      return fail(tag)
  }
}

/** Stores bytes that are text as text, so that a secret in them is found. */
function packBytes(bytes: Uint8Array): object {
  const buffer = Buffer.from(bytes)
  const text = buffer.toString()
  return Buffer.from(text).equals(buffer) ? { $utf8: text } : { $base64: buffer.toString('base64') }
}

function fail(tag: string): never {
  throw new TypeError(`'${tag}' cannot be read here`)
}
