import { withEscapes } from './printed-text.ts'

const STRING = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`([^`]*)`/g
const BRACKETED = /(?:\bq[qwx]?|%[xwWqQ]?)\s*[({[<|!/]([^)}\]>|!/]*)/g
const MAX_STRINGS = 400
/** How many strings stand in one row. */
const MAX_ROW = 30

/** Texts that may be handed to a shell. */
export interface Texts {
  readonly texts: readonly string[]
  /** There are more of them. */
  readonly isCut: boolean
}

/** The strings of a program text, any of which may be handed to a shell: each by itself, and in a row with those behind it. */
export function quotedTexts(programs: readonly string[]): Texts {
  let isCut = false
  const texts = programs.flatMap(text => {
    const found = [...text.matchAll(STRING), ...text.matchAll(BRACKETED)]
    isCut ||= found.length > MAX_STRINGS
    const strings = found.slice(0, MAX_STRINGS).map(([, one, two, three]) => withEscapes(one ?? two ?? three ?? ''))
    const rows = strings.map((_, at) => rowOf(strings.slice(at)))
    return [...strings, ...rows, strings.join('')].filter(string => string !== '')
  })
  return { texts, isCut }
}

/** An unknown word stands for what is cut off. */
const rowOf = (strings: readonly string[]): string =>
  [...strings.slice(0, MAX_ROW), ...(strings.length > MAX_ROW ? ['"$cut"'] : [])].join(' ')

const WAY_OUT = /(?:!|(?:^|[\s;:|.])(?:shell|system|term|terminal)\s|syscmd\()\s*([^]+)$/

/** What stands behind the sign that leads from a program's own commands to a shell: `:!ls`, `.shell ls`. */
export const waysOut = (texts: readonly string[]): readonly string[] =>
  texts.flatMap(text => text.split('\n')).flatMap(line => WAY_OUT.exec(line)?.slice(1) ?? [])

const SUBSTITUTION = /s([^\w\s\\])(?:(?!\1)[^])*\1((?:(?!\1)[^])*)\1[a-zA-Z\d]*e/

/** What a script of sed hands to a shell: the text of its command `e`, and what a substitution with that flag puts together. */
export const sedTexts = (texts: readonly string[]): readonly string[] =>
  texts.flatMap(text => [
    ...(/(?:^|[;\s\d$}/])e\s+([^\n]+)/.exec(text)?.slice(1) ?? []),
    ...(SUBSTITUTION.exec(text)?.slice(2) ?? []),
  ])
