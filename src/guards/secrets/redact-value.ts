import { mapStrings } from './map-strings.ts'

interface Redacting {
  readonly text: (text: string) => string
  readonly bytes: (bytes: Buffer) => Buffer
  /** Returns a part of some bytes, judged together with all of them. */
  readonly part: (bytes: Buffer, from: number, to: number) => Buffer
  /** Reports whether a number can be a secret. */
  readonly numbers: boolean
}

/** Redacts every string in a value: keys, numbers written out, bytes, and errors with their causes too. */
export const redactValue = <T>(value: T, { text, bytes, part, numbers }: Redacting): T => {
  const leaf = (item: unknown): unknown => {
    if (typeof item === 'number' || typeof item === 'bigint') return numbers ? redactedNumber(item, text) : item
    if (Buffer.isBuffer(item)) return bytes(item)
    if (item instanceof Uint8Array) return redactedBytes(item, bytes)
    if (item instanceof Error) return redactedError(item, inside)
    if (item instanceof Map) return new Map(Array.from(item, ([key, entry]) => [inside(key), inside(entry)]))
    if (item instanceof Set) return new Set(Array.from(item, inside))
    return typeof item === 'object' && item !== null ? redactedObject(item, inside) : item
  }
  const inside = <Inner>(item: Inner): Inner =>
    mapStrings(item, { text, key: text, leaf, list: items => redactedList(items, text, part) })
  return inside(value)
}

const redactedNumber = (value: number | bigint, text: (text: string) => string): unknown => {
  const numberText = String(value)
  if (numberText.length < 4) return value
  const redactedText = text(numberText)
  return redactedText === numberText ? value : redactedText
}

const redactedBytes = (value: Uint8Array, bytes: (bytes: Buffer) => Buffer): Uint8Array => {
  const before = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const after = bytes(before)
  return after === before ? value : Uint8Array.from(after)
}

/** Returns a copy that is still an error of its kind. Message, stack and cause are ordinary properties of it. */
const redactedError = (error: Error, inside: (item: unknown) => unknown): Error => {
  const copy: Error = Object.create(Object.getPrototypeOf(error))
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(error))) {
    const value: unknown = 'value' in descriptor ? descriptor.value : Reflect.get(error, name)
    Object.defineProperty(copy, name, {
      value: inside(value),
      enumerable: descriptor.enumerable ?? false,
      configurable: true,
      writable: true,
    })
  }
  return copy
}

/**
 * Redacts a value that is written as a list: its bytes as numbers, or its text in pieces, which may each hold a part of
 * it.
 */
const redactedList = (
  items: readonly unknown[],
  text: (text: string) => string,
  part: Redacting['part'],
): readonly unknown[] => {
  if (items.length > 4 && items.every(item => Number.isInteger(item))) {
    const listText = items.join()
    const redactedText = text(listText)
    return redactedText === listText ? items : [redactedText]
  }
  if (items.length < 2 || !items.every(item => typeof item === 'string')) return items
  const pieces = items.map(item => Buffer.from(item))
  const whole = Buffer.concat(pieces)
  let at = 0
  const redactedItems = items.map((item, place) => {
    const from = at
    at += pieces[place]?.length ?? 0
    const redactedPart = part(whole, from, at)
    return redactedPart.equals(whole.subarray(from, at)) ? item : redactedPart.toString()
  })
  return redactedItems.some((item, place) => item !== items[place]) ? redactedItems : items
}

/** Returns the same object, or what JSON shows of it without secrets: its own fields are not all of, say, a URL. */
const redactedObject = (item: object, inside: (item: unknown) => unknown): unknown => {
  const { toJSON, valueOf } = Object(item)
  const primitive: unknown = typeof valueOf === 'function' ? valueOf.call(item) : item
  const jsonValue: unknown = typeof toJSON === 'function' ? toJSON.call(item) : { ...item }
  const plain = typeof primitive === 'string' ? primitive : jsonValue
  const redactedFields = inside(plain)
  return redactedFields === plain ? item : redactedFields
}
