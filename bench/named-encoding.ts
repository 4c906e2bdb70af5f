/** The frame that stands in a profile for the encoding of a value as JSON, which has none of its own. */
export const ENCODING = { functionName: 'encodeAsJson', url: import.meta.url } as const

/** Gives JSON encoding a frame, until it is disposed of. */
export function namedEncoding(): Disposable {
  const { stringify } = JSON
  JSON.stringify = function encodeAsJson(...given: unknown[]): string {
    return Reflect.apply(stringify, JSON, given)
  }
  return { [Symbol.dispose]: () => void (JSON.stringify = stringify) }
}
