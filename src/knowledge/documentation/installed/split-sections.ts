import type { Section, SectionKind } from '../section-types.ts'

/** Longer texts are searched and shown in pieces. */
const LONGEST_SECTION = 3_000
/** A longer line is data, a picture or a trick; its beginning is enough to find it. */
const LONGEST_LINE = 1_000
const LONGEST_HEADING = 200

interface Piece {
  readonly line: number
  readonly titles: readonly string[]
  readonly lines: string[]
}

/**
 * Splits a text at its headings, in Markdown or reStructuredText, and long sections at their paragraphs. Each has the
 * titles above it and the number of its first line.
 */
export function splitSections(text: string, path: string, kind: SectionKind): readonly Section[] {
  return piecesOf(text.split(/\r\n|\r|\n/)).flatMap(({ line, titles, lines }) =>
    partsOf(lines).flatMap(({ from, body }): Section[] =>
      body.trim() === '' && titles.length === 0
        ? []
        : [{ path, line: line + from, heading: titles.join(' › ').slice(0, LONGEST_HEADING), kind, body }],
    ),
  )
}

function piecesOf(lines: readonly string[]): readonly Piece[] {
  let piece: Piece = { line: 1, titles: [], lines: [] }
  const pieces = [piece]
  const levels: { readonly level: number; readonly title: string }[] = []
  const underlines: string[] = []
  let fence: string | undefined
  for (const [at, rawLine] of lines.entries()) {
    const line = rawLine.length > LONGEST_LINE ? `${rawLine.slice(0, LONGEST_LINE)}…` : rawLine
    const [, mark] = /^\s{0,3}(```+|~~~+)/.exec(line) ?? []
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined
    const heading = fence === undefined ? headingAt(line, lines[at + 1] ?? '', underlines) : undefined
    if (heading) {
      while ((levels.at(-1)?.level ?? 0) >= heading.level) levels.pop()
      levels.push(heading)
      piece = { line: at + 1, titles: levels.map(({ title }) => title), lines: [] }
      pieces.push(piece)
    }
    piece.lines.push(line)
  }
  return pieces
}

/** Reads a heading: `## Title`, or a line with an underline of one character below it. */
function headingAt(
  line: string,
  next: string,
  underlines: string[],
): { readonly level: number; readonly title: string } | undefined {
  const [, marks, title] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
  if (marks !== undefined && title !== undefined)
    return { level: marks.length, title: plainTitle(title.trimEnd().replace(/[ \t]#+$/, '')) }
  const text = line.trim()
  const [, sign] = /^([=\-~^"'`#*+.])\1{2,}\s*$/.exec(next) ?? []
  const isTitle = sign !== undefined && /^[^\s|>-]/.test(line) && next.trim().length >= Math.min(text.length, 3)
  if (!isTitle || text.length > LONGEST_HEADING || /^([=\-~^"'`#*+.])\1{2,}$/.test(text)) return undefined
  if (!underlines.includes(sign)) underlines.push(sign)
  return { level: underlines.indexOf(sign) + 1, title: plainTitle(text) }
}

/** Titles are often links, code or emphasis, and may carry an anchor. */
const plainTitle = (title: string): string =>
  title
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,200}\)/g, '$1')
    .replace(/[`*]|\{#[\w-]+\}/g, '')
    .trim()
    .slice(0, LONGEST_HEADING)

function partsOf(lines: readonly string[]): readonly { readonly from: number; readonly body: string }[] {
  const parts: { from: number; lines: string[]; size: number }[] = [{ from: 0, lines: [], size: 0 }]
  for (const [at, line] of lines.entries()) {
    const part = parts.at(-1)
    const isFull = part !== undefined && part.size > 0 && part.size + line.length > LONGEST_SECTION
    const isBreak = isFull && (line.trim() === '' || part.size > 2 * LONGEST_SECTION)
    if (!part || isBreak) parts.push({ from: at, lines: [line], size: line.length })
    else {
      part.lines.push(line)
      part.size += line.length + 1
    }
  }
  return parts.map(({ from, lines: own }) => ({ from, body: own.join('\n').trimEnd() }))
}
