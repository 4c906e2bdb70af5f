import { invisible } from './sanitize.ts'
import { once } from './once.ts'

/** Made when the first line needs it: the tables behind these classes take longer to build than a call takes. */
const unsafe = once(() => new RegExp(`[${invisible}]`, 'gu'))
/** Almost every line is, and this is found out in a fraction of the time. */
const plain = /^[\x20-\x7e]*$/

/**
 * One line of JSON that is safe to show: control, bidi and invisible characters are \u-escaped, and it parses back to
 * the same value. What JSON cannot hold (undefined, a function) is `null`.
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
