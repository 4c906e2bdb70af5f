import { mapStrings } from './map-strings.ts'

interface Redacting {
  readonly text: (text: string) => string
  readonly bytes: (bytes: Buffer) => Buffer
  /** Reports whether a number can be a secret. */
  readonly numbers: boolean
}

/** Redacts every string in a value: keys, numbers written out, bytes, and errors with their causes too. */
export const redactValue = <T>(value: T, { text, bytes, numbers }: Redacting): T => {
  const leaf = (item: unknown): unknown => {
    if (typeof item === 'number' || typeof item === 'bigint') return numbers ? redactedNumber(item, text) : item
    if (Buffer.isBuffer(item)) return bytes(item)
    if (item instanceof Uint8Array) return redactedBytes(item, bytes)
    if (item instanceof Error) return redactedError(item, inside)
    if (item instanceof Map) return new Map(Array.from(item, ([key, entry]) => [inside(key), inside(entry)]))
    if (item instanceof Set) return new Set(Array.from(item, inside))
    return item
  }
  const inside = <Inner>(item: Inner): Inner => mapStrings(item, { text, key: text, leaf })
  return inside(value)
}

const redactedNumber = (value: number | bigint, text: (text: string) => string): unknown => {
  const written = String(value)
  if (written.length < 4) return value
  const redacted = text(written)
  return redacted === written ? value : redacted
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
