import { createHash } from 'node:crypto'
import { ToolError } from '../../kernel/error.ts'
import type { OpenFile } from '../workspace/workspace.ts'
import type { Detected, Encoding } from './encoding.ts'
import { markOf } from './encoding.ts'

export type Eol = 'lf' | 'crlf' | 'mixed' | 'none'

/** Result of one pass over a file: enough to reach any line directly afterwards. */
export interface LineIndex {
  /** sha256 of the whole file, hex. */
  readonly hash: string
  readonly totalLines: number
  readonly eol: Eol
  /** Start offsets of lines 1, 1 + STEP, 1 + 2 STEP … */
  readonly starts: readonly number[]
}

/** The needed part of an open file; a buffer in memory also works. */
export type Source = Pick<OpenFile, 'path' | 'size' | 'read'> & { readonly version?: string }

const STEP = 256
const BLOCK = 256 * 1024
const SCAN = 8 * 1024
const REMEMBERED = 64
const indexCache = new Map<string, LineIndex>()

/** Returns the index of a file, cached while the file is known to be unchanged. */
export function indexLines(file: Source, fileEncoding: Detected): LineIndex {
  if (file.version === undefined) return build(file, fileEncoding)
  const key = `${file.version} ${fileEncoding.encoding} ${fileEncoding.bom} ${file.path}`
  const cachedIndex = indexCache.get(key)
  const index = cachedIndex ?? build(file, fileEncoding)
  indexCache.delete(key)
  indexCache.set(key, index)
  if (indexCache.size > REMEMBERED) for (const oldest of indexCache.keys()) return forget(oldest, index)
  return index
}

/**
 * Returns the start of a line, or the end of the file for the line after the last. `before` is a line with a known
 * start.
 */
export function startOfLine(
  file: Source,
  index: LineIndex,
  encoding: Encoding,
  line: number,
  before?: { readonly line: number; readonly at: number },
): number {
  if (line > index.totalLines) return file.size
  let at = index.starts[Math.floor((line - 1) / STEP)] ?? 0
  let linesLeft = (line - 1) % STEP
  if (before && line - before.line < linesLeft) [at, linesLeft] = [before.at, line - before.line]
  while (linesLeft > 0) {
    const block = readWhole(file, at, Math.min(SCAN, file.size - at))
    let next = 0
    for (let end = lineEnd(block, 0, encoding); end !== -1 && linesLeft > 0; end = lineEnd(block, end, encoding)) {
      next = end
      linesLeft--
    }
    at += linesLeft > 0 ? block.length : next
  }
  return at
}

/** Returns the position after the first line end at or after `from`, or -1. `block` starts at a whole character. */
export function lineEnd(block: Buffer, from: number, encoding: Encoding): number {
  for (let i = block.indexOf(LF, from); i !== -1; i = block.indexOf(LF, i + 1)) {
    if (encoding === 'utf-16le') {
      if (i % 2 === 0 && block[i + 1] === 0) return i + 2
    } else if (encoding !== 'utf-16be' || (i % 2 === 1 && block[i - 1] === 0)) return i + 1
  }
  return -1
}

/** Reads exactly this many bytes. Fewer mean that the file was truncated during the read. */
export function readWhole(file: Source, offset: number, length: number): Buffer {
  const block = file.read(offset, length)
  if (block.length === length) return block
  throw new ToolError('conflict', `${file.path} changed while it was being read`, { hint: 'Read it again.' })
}

const LF = 10
const CR = 13

function build(file: Source, detected: Detected): LineIndex {
  const { encoding } = detected
  const width = encoding.startsWith('utf-16') ? 2 : 1
  const first = detected.bom ? markOf(encoding).length : 0
  const hash = createHash('sha256')
  const starts: number[] = [first]
  let ends = 0
  let crlf = 0
  let lastEnd = first
  let afterCr = false
  for (let at = 0; at < file.size;) {
    const block = readWhole(file, at, Math.min(BLOCK, file.size - at))
    hash.update(block)
    for (let end = lineEnd(block, 0, encoding); end !== -1; end = lineEnd(block, end, encoding)) {
      const start = end - width
      if (start === 0 ? afterCr : isCr(block, start - width, encoding)) crlf++
      ends++
      lastEnd = at + end
      if (ends % STEP === 0) starts.push(lastEnd)
    }
    afterCr = isCr(block, block.length - width, encoding)
    at += block.length
  }
  const totalLines = ends + (file.size > lastEnd ? 1 : 0)
  const eol = ends === 0 ? 'none' : crlf === 0 ? 'lf' : crlf === ends ? 'crlf' : 'mixed'
  return { hash: hash.digest('hex'), totalLines, eol, starts }
}

function isCr(block: Buffer, at: number, encoding: Encoding): boolean {
  if (encoding === 'utf-16le') return block[at] === CR && block[at + 1] === 0
  if (encoding === 'utf-16be') return block[at + 1] === CR && block[at] === 0
  return block[at] === CR
}

function forget(key: string, index: LineIndex): LineIndex {
  indexCache.delete(key)
  return index
}
