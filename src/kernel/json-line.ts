import { invisible } from './invisible.ts'

const unsafe = new RegExp(`[${invisible}]`, 'gu')

/**
 * One line of JSON that is safe to show: control, bidi and invisible characters are \u-escaped, and it parses back to
 * the same value. What JSON cannot hold (undefined, a function) is `null`.
 */
export const jsonLine = (value: unknown): string => {
  const json: string | undefined = JSON.stringify(value)
  return json === undefined ? 'null' : json.replace(unsafe, escape)
}

const escape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
