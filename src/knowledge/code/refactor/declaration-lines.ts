import type { Splice } from '../../../machine/text/edit/splice-text.ts'
import type { Source } from '../source.ts'
import type { Stretch } from '../../../languages/file-model/syntax-file.ts'

/**
 * The start of the comments that belong to a declaration: those right above it, without an empty line between. Comments
 * about the whole file belong to the file.
 */
export function leadingStart({ text }: Source, comments: readonly Stretch[], start: number): number {
  let at = start
  for (const comment of comments.toReversed()) {
    if (comment.end > at) continue
    const between = text.slice(comment.end, at)
    const lineStart = lineStartOf(text, comment.start)
    // A comment may include its line end, and one after code belongs to that code.
    const isAdjacent = between.trim() === '' && lineEnds(text.slice(comment.end - 1, at)) <= 1
    if (!isAdjacent || text.slice(lineStart, comment.start).trim() !== '' || isOfFile(text, comments, comment)) break
    at = comment.start
  }
  return at
}

/** Words in comments that are about a file, or tell a tool how to read it. */
const OF_FILE =
  /@(?:license|licence|preserve|copyright|file|fileoverview|overview|module|packageDocumentation|ts-(?:no)?check|flow|jsx\w*|(?:vitest|jest)-environment)\b|^[\W_]*copyright\b|\bSPDX-|\(c\) \d{4}|\blicensed under\b|(?:eslint|oxlint|tslint|biome|prettier)-(?:disable(?!-(?:next-)?line)|ignore-all)|-\*-|^\/\/\/\s*</im

/** Reports whether a comment above the first line of code is about the file. */
function isOfFile(text: string, comments: readonly Stretch[], { start, end }: Stretch): boolean {
  if (start === 0 && text.startsWith('#!')) return true
  if (!OF_FILE.test(text.slice(start, end))) return false
  const above = comments.filter(comment => comment.end <= start).toReversed()
  const code = above.reduce(
    (rest, comment) => rest.slice(0, comment.start) + rest.slice(comment.end),
    text.slice(0, start),
  )
  return /^(?:\uFEFF|#![^\n]*|\s)*$/.test(code)
}

export const lineStartOf = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

export const lineEndOf = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset)
  if (end < 0) return text.length
  return text[end - 1] === '\r' ? end - 1 : end
}

/** The indentation of a line. */
export const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStartOf(text, offset), offset))?.[0] ?? ''

export const lineEnds = (blanks: string): number => blanks.split('\n').length - 1

/**
 * The rest of a declaration's line if it contains only comments, which then belong to it; undefined if it contains
 * code.
 */
function restOfLine({ text }: Source, comments: readonly Stretch[], end: number): string | undefined {
  let at = end + (/^[ \t]*[;,]?/.exec(text.slice(end))?.[0].length ?? 0)
  const lineEnd = lineEndOf(text, end)
  for (const comment of comments) {
    const isNext = comment.start >= at && comment.start < lineEnd && text.slice(at, comment.start).trim() === ''
    if (isNext) at = Math.min(comment.end, text[comment.end - 1] === '\n' ? lineEnd : comment.end)
  }
  return at <= lineEnd && text.slice(at, lineEnd).trim() === '' ? text.slice(end, lineEnd) : undefined
}

/** The comments that move with a declaration: those on its last line, if nothing else is on its lines. */
export function trailingText(source: Source, comments: readonly Stretch[], { start, end }: Stretch): string {
  const from = leadingStart(source, comments, start)
  if (source.text.slice(lineStartOf(source.text, from), from).trim() !== '') return ''
  const rest = restOfLine(source, comments, end)?.trimEnd() ?? ''
  return /^[;,]?$/.test(rest.trim()) ? '' : rest
}

/**
 * The stretch to remove with a declaration: its comments, the rest of its lines, and one of the gaps around it, so that
 * its neighbours keep their distance.
 */
function removedStretch(source: Source, comments: readonly Stretch[], { start, end }: Stretch): Stretch {
  const { text } = source
  const from = leadingStart(source, comments, start)
  const lineStart = lineStartOf(text, from)
  const rest = restOfLine(source, comments, end)
  if (rest === undefined)
    return { start: from, end: end + (/^[ \t]*[;,]?[ \t]*/.exec(text.slice(end))?.[0].length ?? 0) }
  const before = text.slice(lineStart, from)
  if (before.trim() !== '') return { start: rest.trim() === '' ? lineStart + before.trimEnd().length : from, end }
  let until = end + rest.length
  until += /^\r?\n/.exec(text.slice(until))?.[0].length ?? 0
  const below = /^(?:[ \t]*\r?\n)+/.exec(text.slice(until))?.[0].length ?? 0
  const above = /(?:^|\n)((?:[ \t]*\r?\n)*)$/.exec(text.slice(0, lineStart))?.[1]?.length ?? 0
  const isLast = text.slice(until).trim() === ''
  if (isLast) return { start: lineStart - above, end: until }
  const isFirst = lineStart - above === 0 || /[{([:][ \t]*\r?\n$/.test(text.slice(0, lineStart - above))
  const closes = /^[ \t]*[})\]]/.test(text.slice(until + below))
  if (isFirst) return { start: lineStart, end: until + below }
  return closes ? { start: lineStart - above, end: until } : { start: lineStart, end: until + Math.min(above, below) }
}

/**
 * Removes a declaration and its entries in export lists. An entry right below is removed together with it, so that one
 * gap is left.
 */
export function withoutDeclaration(
  source: Source,
  comments: readonly Stretch[],
  { start, end }: Stretch,
  lists: readonly Splice[],
): readonly Splice[] {
  const removal = removedStretch(source, comments, { start, end })
  const next = lists.find(each => each.start === removal.end && each.old.endsWith('\n'))
  const all = next ? removedStretch(source, comments, { start, end: removal.end + next.old.trimEnd().length }) : removal
  return [source.splice(all.start, all.end, ''), ...lists.filter(each => each !== next)]
}
