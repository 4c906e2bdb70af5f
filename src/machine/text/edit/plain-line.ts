/** Trims a line and makes quotes and dashes plain; inside, every character keeps its position. */
export function plainLine(line: string): string {
  const trimmedLine = line.trim()
  return TYPOGRAPHIC.test(trimmedLine) ? trimmedLine.replaceAll(EACH, plainCharacter) : trimmedLine
}

/** Returns the plain keyboard character. */
export const plainCharacter = (character: string): string => PLAIN.get(character) ?? character

/** Splits a text into lines without their ends; an end after the last line starts no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n').map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.length > 1 && lines.at(-1) === '' && text.endsWith('\n')) lines.pop()
  return lines
}

const GROUPS: readonly (readonly [string, string])[] = [
  ["'", '\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4'],
  ['"', '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb'],
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212'],
  [' ', '\u00a0\u2002\u2003\u2007\u2009\u202f'],
]
const PLAIN = new Map(GROUPS.flatMap(([plain, others]) => [...others].map(other => [other, plain] as const)))
const TYPOGRAPHIC = new RegExp(`[${[...PLAIN.keys()].join('')}]`)
const EACH = new RegExp(TYPOGRAPHIC.source, 'g')
