import type { Stretch } from '../../../model/syntax/syntax-file.ts'

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''

/** The lines of a given code as they are written, without empty lines around it. */
export const givenLines = (text: string): readonly string[] =>
  text
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd()
    .split(/\r\n|\n|\r/)

/** Lines without what they are all indented by. */
export function plainLines(lines: readonly string[]): readonly string[] {
  const indents = lines.filter(line => line.trim() !== '').map(indentOf)
  const common = indents.reduce(shared, indents[0] ?? '')
  return lines.map(line => (line.trim() === '' ? '' : line.slice(common.length)))
}

/** What one step of indentation is in a text; what is usual in its language where nothing is indented. */
export function unitOf(text: string, path: string): string {
  const indents = /\.pyi?$/i.test(path)
    ? blockSteps(text)
    : Array.from(text.matchAll(/^([ \t]+)\S/gm), ([, indent = '']) => indent)
  if (indents.length === 0) {
    if (/\.go$/i.test(path)) return '\t'
    return /\.(pyi?|java|kts?|cs|rs|php|swift|[ch](pp|h|xx|c)?)$/i.test(path) ? '    ' : '  '
  }
  if (indents.filter(indent => indent.startsWith('\t')).length * 2 > indents.length) return '\t'
  // A star of a comment stands one further.
  const widths = indents.map(({ length }) => length).filter(length => length > 1)
  const least = widths.reduce((one, other) => Math.min(one, other), widths[0] ?? 2)
  return ' '.repeat(Math.min(8, least))
}

/** How far blocks stand in behind the line that opens them; lines that only go on stand anywhere. */
function blockSteps(text: string): readonly string[] {
  const opened = text.matchAll(/^([ \t]*)\S[^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*\r?\n)*\1([ \t]+)(?=\S)/gm)
  return Array.from(opened, ([, , step = '']) => step)
}

/** The lines one after another, each behind the indentation of the place, with tabs or blanks as the file has them. */
export function indented(lines: readonly string[], indent: string, unit: string, eol: string): string {
  const [own = ''] = lines
    .map(indentOf)
    .filter(each => each !== '')
    .toSorted((one, other) => one.length - other.length)
  return lines.map(line => (line === '' ? '' : indent + converted(line, own, unit))).join(eol)
}

/** Lines of a text that is put in at a place, as they were given, where they stand within something that indentation would change. */
export function withoutShift(
  shifted: string,
  given: readonly string[],
  eol: string,
  at: number,
  literals: readonly Stretch[],
): string {
  let offset = at
  return shifted
    .split(eol)
    .map((line, number) => {
      const start = offset
      offset += line.length + eol.length
      return literals.some(each => each.start < start && each.end > start) ? (given[number] ?? line) : line
    })
    .join(eol)
}

/** Steps of another width become those of the file; what is only aligned stays as far from its step as it was. */
function converted(line: string, own: string, unit: string): string {
  const indent = indentOf(line)
  if (own === unit || !/^(\t| {2,4}| {8})$/.test(own) || new Set(indent).size > 1) return line
  const steps = Math.floor(indent.length / own.length)
  return unit.repeat(steps) + indent.slice(steps * own.length) + line.slice(indent.length)
}

function shared(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
