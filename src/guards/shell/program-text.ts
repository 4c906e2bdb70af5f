import { withEscapes } from './printed-text.ts'

const STRING = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`([^`]*)`/g
const BRACKETED = /(?:\bq[qwx]?|%[xwWqQ]?)\s*[({[<|!/]([^)}\]>|!/]*)/g
const MAX_STRINGS = 400
/** The most strings in one row. */
const MAX_ROW = 30

/** Texts that may be passed to a shell. */
export interface Texts {
  readonly texts: readonly string[]
  /** There are more of them. */
  readonly isCut: boolean
}

/**
 * Returns the strings of a program text, any of which may be passed to a shell: each alone, and in a row with those
 * after it.
 */
export function quotedTexts(programs: readonly string[]): Texts {
  let isCut = false
  const texts = programs.flatMap(text => {
    const literals = [...text.matchAll(STRING), ...text.matchAll(BRACKETED)]
    isCut ||= literals.length > MAX_STRINGS
    const strings = literals.slice(0, MAX_STRINGS).map(([, one, two, three]) => withEscapes(one ?? two ?? three ?? ''))
    const rows = strings.map((_, at) => rowOf(strings.slice(at)))
    return [...strings, ...rows, strings.join('')].filter(string => string !== '')
  })
  return { texts, isCut }
}

/** An unknown word stands for the part that is cut off. */
const rowOf = (strings: readonly string[]): string =>
  [...strings.slice(0, MAX_ROW), ...(strings.length > MAX_ROW ? ['"$cut"'] : [])].join(' ')

const WAY_OUT = /(?:!|(?:^|[\s;:|.])(?:shell|system|term|terminal)\s|syscmd\()\s*([^]+)$/

/** Returns the text after the escape to a shell in a program's own commands: `:!ls`, `.shell ls`. */
export const waysOut = (texts: readonly string[]): readonly string[] =>
  texts.flatMap(text => text.split('\n')).flatMap(line => WAY_OUT.exec(line)?.slice(1) ?? [])

const SUBSTITUTION = /s([^\w\s\\])(?:(?!\1)[^])*\1((?:(?!\1)[^])*)\1[a-zA-Z\d]*e/

/**
 * Returns what a sed script passes to a shell: the text of its command `e`, and the result of a substitution with that
 * flag.
 */
export const sedTexts = (texts: readonly string[]): readonly string[] =>
  texts.flatMap(text => [
    ...(/(?:^|[;\s\d$}/])e\s+([^\n]+)/.exec(text)?.slice(1) ?? []),
    ...(SUBSTITUTION.exec(text)?.slice(2) ?? []),
  ])
