import { invisible } from './sanitize.ts'
import { once } from './once.ts'

/** Built on first use: the tables behind these classes take longer to build than a call takes. */
const unsafe = once(() => new RegExp(`[${invisible}]`, 'gu'))
/** Matches almost every line, in a fraction of the time. */
const plain = /^[\x20-\x7e]*$/

/**
 * Returns one line of JSON that is safe to show: control, bidi and invisible characters are \u-escaped, and it parses
 * back to the same value. A value that JSON cannot hold (undefined, a function) becomes `null`.
 */
export const jsonLine = (value: unknown): string => {
  const json: string | undefined = JSON.stringify(value)
  if (json === undefined) return 'null'
  return plain.test(json) ? json : json.replace(unsafe(), escape)
}

const escape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
