import type { FilePatch, Hunk } from './patch-types.ts'
import { badPatch, stricter } from './patch-error.ts'
import { bodyOf, linesOf } from './byte-lines.ts'
import { patchPath } from './patch-path.ts'

interface Cursor {
  readonly lines: readonly string[]
  at: number
}

/** Reads `*** Begin Patch` … `*** End Patch`, a form that some models write. */
export function parseEnvelope(text: string, mostFiles: number): FilePatch[] {
  const cursor: Cursor = { lines: linesOf(text).map(bodyOf), at: 0 }
  while (!isBegin(peek(cursor))) cursor.at++
  cursor.at++
  const files: FilePatch[] = []
  while (peek(cursor).trimEnd() !== '*** End Patch') {
    if (cursor.at >= cursor.lines.length)
      throw badPatch(cursor.at, '`*** End Patch` is missing', 'Send the whole patch.')
    if (peek(cursor).trim() === '') cursor.at++
    else files.push(readFile(cursor))
    if (files.length > mostFiles)
      throw stricter('size', cursor.at, `the patch has more than ${mostFiles} files`, 'Split the patch.')
  }
  const rest = cursor.lines.slice(cursor.at + 1).findIndex(line => !/^\s*(?:```|EOF)?\s*$/.test(line))
  if (rest >= 0) throw badPatch(cursor.at + 2 + rest, 'text after `*** End Patch`', 'Put everything inside the patch.')
  return files
}

export const isBegin = (line: string): boolean => line.trimEnd() === '*** Begin Patch'

function readFile(cursor: Cursor): FilePatch {
  const at = cursor.at + 1
  const match = /^\*\*\* (Add|Update|Delete) File: (.*)$/.exec(peek(cursor))
  if (match === null) throw badPatch(at, 'expected `*** Add File:`, `*** Update File:` or `*** Delete File:`')
  cursor.at++
  const path = patchPath((match[2] ?? '').trim(), at)
  if (match[1] === 'Delete') return { form: 'envelope', at, kind: 'delete', from: path, hunks: [], wholeFile: true }
  if (match[1] === 'Add') return { form: 'envelope', at, kind: 'create', to: path, hunks: addedLines(cursor, at) }
  const target = /^\*\*\* Move to: (.*)$/.exec(peek(cursor))?.[1]
  if (target !== undefined) cursor.at++
  const to = target === undefined ? path : patchPath(target.trim(), cursor.at)
  const hunks: Hunk[] = []
  while (!isSectionEnd(cursor)) hunks.push(readHunk(cursor))
  if (hunks.length === 0 && target === undefined) throw badPatch(at, 'the section changes nothing')
  return { form: 'envelope', at, kind: to === path ? 'change' : 'rename', from: path, to, hunks }
}

function addedLines(cursor: Cursor, at: number): Hunk[] {
  const lines: string[] = []
  for (; !isSectionEnd(cursor); cursor.at++) {
    const line = peek(cursor)
    if (!line.startsWith('+')) throw badPatch(cursor.at + 1, 'each line of a new file begins with `+`')
    lines.push(`${line}\n`)
  }
  return lines.length === 0 ? [] : [{ at, place: 'text', lines, ...ranges(lines) }]
}

function readHunk(cursor: Cursor): Hunk {
  const at = cursor.at + 1
  const anchors: string[] = []
  for (; isAnchor(peek(cursor)); cursor.at++) {
    const anchor = anchorOf(peek(cursor))
    if (anchor !== '') anchors.push(anchor)
  }
  const lines: string[] = []
  for (; !isSectionEnd(cursor) && !isAnchor(peek(cursor)) && !isEnd(peek(cursor)); cursor.at++) {
    const line = peek(cursor)
    if (!/^[ +-]|^$/.test(line))
      throw badPatch(cursor.at + 1, 'each line of a hunk begins with a blank, `-` or `+`', 'Mark every line.')
    lines.push(line === '' ? ' \n' : `${line}\n`)
  }
  const atEnd = isEnd(peek(cursor))
  if (atEnd) cursor.at++
  // A blank line that only separates sections is no context.
  if (!atEnd && isSectionEnd(cursor))
    for (let back = -1; lines.length > 0 && peek(cursor, back) === ''; back--) lines.pop()
  if (!lines.some(line => !line.startsWith(' '))) throw badPatch(at, 'the hunk changes nothing')
  return { at, place: 'text', lines, anchors, ...(atEnd ? { atEnd: true as const } : {}), ...ranges(lines) }
}

const peek = (cursor: Cursor, ahead = 0): string => cursor.lines[cursor.at + ahead] ?? ''
const isAnchor = (line: string): boolean => line.startsWith('@@')
const isEnd = (line: string): boolean => line.trimEnd() === '*** End of File'
const isSectionEnd = (cursor: Cursor): boolean =>
  cursor.at >= cursor.lines.length || /^\*\*\* (?:(?:Add|Update|Delete) File: |End Patch\s*$)/.test(peek(cursor))

/** Ignores line numbers of a unified diff: only text determines a place. */
const anchorOf = (line: string): string =>
  line
    .slice(2)
    .replace(/^ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/, '')
    .replace(/ @@$/, '')
    .trim()

function ranges(lines: readonly string[]): Pick<Hunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'> {
  const count = (operation: string): number => lines.filter(line => !line.startsWith(operation)).length
  return { oldStart: 0, oldLines: count('+'), newStart: 0, newLines: count('-') }
}
