import { withEscapes } from './printed-text.ts'

const STRING = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`([^`]*)`/g
const BRACKETED = /(?:\bq[qwx]?|%[xwWqQ]?)\s*[({[<|!/]([^)}\]>|!/]*)/g
const MAX_STRINGS = 200
const MAX_ROWS = 20

/** The strings of a program text, any of which may be handed to a shell: each by itself, and in a row with those behind it. */
export function quotedTexts(texts: readonly string[]): readonly string[] {
  return texts.flatMap(text => {
    const strings = [...text.matchAll(STRING), ...text.matchAll(BRACKETED)]
      .slice(0, MAX_STRINGS)
      .map(([, one, two, three]) => withEscapes(one ?? two ?? three ?? ''))
    const rows = strings.slice(0, MAX_ROWS).map((_, at) => strings.slice(at).join(' '))
    return [...strings, ...rows, strings.join('')].filter(string => string !== '')
  })
}

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
