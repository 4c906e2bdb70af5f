import { alignLines } from './align-lines.ts'
import type { Lines } from './find-lines.ts'
import type { Place } from './find-text.ts'
import { endNear } from './line-ends.ts'
import { plainCharacter, splitLines } from './plain-line.ts'
import { reindent, type Indents } from './reindent.ts'

/** The actual replacement and its place. */
interface Fitted extends Place {
  readonly new: string
}

/**
 * Fits a replacement to lines that match except for blanks and typography. Unchanged lines keep their bytes; new ones
 * take the indentation, quotes and line ends of the place. Returns undefined if the indentation cannot be transferred.
 */
export function fitLines(text: string, file: Lines, first: number, old: string, now: string): Fitted | undefined {
  const oldLines = splitLines(old)
  const there = file.lines.slice(first, first + oldLines.length)
  const newLines = now === '' ? [] : splitLines(now)
  const alignment = alignLines(oldLines, newLines)
  const indents = oldLines.flatMap((line, i) =>
    line.trim() === '' ? [] : [{ given: indentOf(line), file: indentOf(there[i] ?? '') }],
  )
  const lead = leadOf(indents)
  const newIndents = newLines.filter((line, i) => alignment[i]?.kept === undefined && line.trim() !== '').map(indentOf)
  const way = reindent(lead === undefined ? indents : indents.slice(1), newIndents, unitOf(file.lines))
  if (!way) return undefined
  const straightCharacters = typographicCharacters(oldLines, there)
  const place = placeOf(text, file, first, oldLines.length, old.endsWith('\n') && !now.endsWith('\n'))
  const ends = there.map((_, i) => endOf(text, file, first + i))
  let out = ''
  for (const [i, line] of newLines.entries()) {
    const { kept, instead } = alignment[i] ?? {}
    const from = kept ?? instead
    const led = i === 0 && lead !== undefined ? (indent: string) => (indent === '' ? lead : way(indent)) : way
    const fittedLine =
      kept === undefined ? fit(line, oldLines[from ?? -1], there[from ?? -1], led, straightCharacters) : there[kept]
    if (fittedLine === undefined) return undefined
    const last = i === newLines.length - 1 && !(now.endsWith('\n') && !old.endsWith('\n'))
    out += fittedLine + (last ? '' : ends[from ?? -1] || endNear(text, place))
  }
  return { ...place, new: out }
}

/**
 * Fits one changed line: transfers its indentation and keeps the file's version of the parts shared with the old line.
 */
function fit(
  line: string,
  old: string | undefined,
  there: string | undefined,
  way: (indent: string) => string | undefined,
  straightened: ReadonlySet<string>,
): string | undefined {
  const body = line.trim()
  if (body === '') return line
  const indent = way(indentOf(line))
  if (indent === undefined) return undefined
  const blanks = line.slice(line.trimEnd().length)
  const oldBody = old?.trim() ?? ''
  const head = sharedStart(oldBody, body)
  const tail = sharedEnd(oldBody.slice(head), body.slice(head))
  const fileBody = there?.trim() ?? ''
  const middle = body
    .slice(head, body.length - tail)
    .replaceAll(/[^]/g, c => (straightened.has(c) ? plainCharacter(c) : c))
  return indent + fileBody.slice(0, head) + middle + fileBody.slice(fileBody.length - tail) + blanks
}

/** Text is often copied from its first letter: then only the first line lacks its indentation. */
function leadOf([first, ...others]: readonly Indents[]): string | undefined {
  const isCopied = others.length > 0 && others.every(({ given, file }) => given === file)
  return isCopied && first?.given === '' && first.file !== '' ? first.file : undefined
}

/** Returns the typographic characters in the given text that are plain in the file: the author meant the plain ones. */
function typographicCharacters(given: readonly string[], there: readonly string[]): ReadonlySet<string> {
  const characters = new Set<string>()
  for (const [i, line] of given.entries()) {
    const old = line.trim()
    const file = there[i]?.trim() ?? ''
    for (let at = 0; at < old.length; at++) {
      const character = old[at] ?? ''
      if (character !== file[at] && plainCharacter(character) === file[at])
        for (const one of family(character)) characters.add(one)
    }
  }
  return characters
}

/** Opening and closing quotes belong together. */
const family = (character: string): readonly string[] =>
  FAMILIES.find(members => members.includes(character)) ?? [character]
const FAMILIES: readonly (readonly string[])[] = [
  ['\u2018', '\u2019', '\u201a', '\u201b'],
  ['\u201c', '\u201d', '\u201e', '\u201f'],
  ['\u00ab', '\u00bb'],
]

function placeOf(text: string, file: Lines, first: number, count: number, withEnd: boolean): Place {
  const last = first + count - 1
  const start = file.starts[first] ?? 0
  const end = (file.starts[last] ?? 0) + (file.lines[last]?.length ?? 0)
  return { start, end: withEnd ? end + endOf(text, file, last).length : end }
}

function endOf(text: string, file: Lines, line: number): string {
  const at = (file.starts[line] ?? 0) + (file.lines[line]?.length ?? 0)
  return text.startsWith('\r\n', at) ? '\r\n' : text.startsWith('\n', at) ? '\n' : ''
}

/** Returns the indentation of a file's first indented line, usually one step. */
const unitOf = (lines: readonly string[]): string => indentOf(lines.find(line => /^[ \t]+\S/.test(line)) ?? '')

const indentOf = (line: string): string =>
  line.slice(0, line.length - line.trimStart().length).replaceAll(/[^\t ]/g, ' ')

function sharedStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

function sharedEnd(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++
  return length
}
