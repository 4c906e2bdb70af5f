import { languageAt } from '../../../../languages/registry.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''

/** The lines of given code, without empty lines around it. */
export const givenLines = (text: string): readonly string[] =>
  text
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd()
    .split(/\r\n|\n|\r/)

/** Lines without their common indentation. */
export function plainLines(lines: readonly string[]): readonly string[] {
  const indents = lines.filter(line => line.trim() !== '').map(indentOf)
  const common = indents.reduce(commonPrefix, indents[0] ?? '')
  return lines.map(line => (line.trim() === '' ? '' : line.slice(common.length)))
}

/** One step of indentation in a text; the language's usual one if nothing is indented. */
export function unitOf(text: string, path: string): string {
  const indents = languageAt(path).isIndented
    ? blockSteps(text)
    : Array.from(text.matchAll(/^([ \t]+)\S/gm), ([, indent = '']) => indent)
  if (indents.length === 0) return languageAt(path).indentation ?? '  '
  if (indents.filter(indent => indent.startsWith('\t')).length * 2 > indents.length) return '\t'
  // The star of a comment is indented by one more.
  const widths = indents.map(({ length }) => length).filter(length => length > 1)
  const least = widths.reduce((one, other) => Math.min(one, other), widths[0] ?? 2)
  return ' '.repeat(Math.min(8, least))
}

/** The indentation of blocks relative to their opening lines; ignores continuation lines. */
function blockSteps(text: string): readonly string[] {
  const openingLines = text.matchAll(/^([ \t]*)\S[^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*\r?\n)*\1([ \t]+)(?=\S)/gm)
  return Array.from(openingLines, ([, , step = '']) => step)
}

/** Joins the lines, each with the indentation of its target, with tabs or blanks as in the file. */
export function indentLines(lines: readonly string[], indent: string, unit: string, eol: string): string {
  const [ownIndent = ''] = lines
    .map(indentOf)
    .filter(each => each !== '')
    .toSorted((one, other) => one.length - other.length)
  return lines.map(line => (line === '' ? '' : indent + convertSteps(line, ownIndent, unit))).join(eol)
}

/** Restores the given text of inserted lines inside literals, which indentation would change. */
export function withoutShift(
  shiftedCode: string,
  originalLines: readonly string[],
  eol: string,
  at: number,
  literals: readonly Stretch[],
): string {
  let offset = at
  return shiftedCode
    .split(eol)
    .map((line, number) => {
      const start = offset
      offset += line.length + eol.length
      return literals.some(each => each.start < start && each.end > start) ? (originalLines[number] ?? line) : line
    })
    .join(eol)
}

/** Converts steps of another width to those of the file; alignment keeps its distance from the step. */
function convertSteps(line: string, own: string, unit: string): string {
  const indent = indentOf(line)
  if (own === unit || !/^(\t| {2,4}| {8})$/.test(own) || new Set(indent).size > 1) return line
  const steps = Math.floor(indent.length / own.length)
  return unit.repeat(steps) + indent.slice(steps * own.length) + line.slice(indent.length)
}

function commonPrefix(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
