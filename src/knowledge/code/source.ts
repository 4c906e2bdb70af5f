import { ToolError } from '../../kernel/error.ts'
import { textOf } from '../../machine/text/file-text.ts'
import type { Splice } from '../../machine/text/edit/splice-text.ts'
import { readWhole } from '../../machine/workspace/disk.ts'
import { show } from '../../machine/workspace/path.ts'
import { createView } from '../../machine/workspace/view.ts'
import type { CodeParts } from './code-parts.ts'
import type { Position, Range } from './servers/lsp-schemas.ts'
import { readRefused } from '../../machine/workspace/read-refused.ts'

/** The text of a file for edits by position: as staged, in its own encoding, without its byte order mark. */
export interface Source {
  readonly path: string
  readonly text: string
  /** The most frequent line end. */
  readonly eol: '\n' | '\r\n'
  offsetOf(position: Position): number
  positionOf(offset: number): Position
  splice(start: number, end: number, text: string): Splice
}

export type Sources = (path: string) => Source

/** Reads each file once. Throws `denied` for a file that the caller may not read. */
export function sourcesOf(parts: Pick<CodeParts, 'root' | 'staging' | 'mayRead'>): Sources {
  const sourceByPath = new Map<string, Source>()
  return path => {
    const before = sourceByPath.get(path)
    if (before) return before
    const source = sourceOf(path, read(parts, path))
    sourceByPath.set(path, source)
    return source
  }
}

function read({ root, staging, mayRead }: Pick<CodeParts, 'root' | 'staging' | 'mayRead'>, path: string): string {
  const view = createView(root, staging)
  const bytes = view.look(path, {}, ({ located, seen, type }) => {
    if (type !== 'file') throw new ToolError('not_a_file', `${show(path)} is not a file`)
    if (!mayRead(located.rel)) throw readRefused(path)
    return seen.type === 'file' ? view.bytes(seen) : readWhole(root, located).bytes
  })
  return textOf(path, bytes).text
}

export function sourceOf(path: string, text: string): Source {
  const starts = [0]
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length)
  const crlf = text.split('\r\n').length - 1
  return {
    path,
    text,
    eol: crlf * 2 > starts.length - 1 ? '\r\n' : '\n',
    offsetOf: ({ line, character }) => Math.min((starts[line] ?? text.length) + character, text.length),
    positionOf(offset) {
      let [low, high] = [0, starts.length - 1]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return { line: low, character: offset - (starts[low] ?? 0) }
    },
    splice: (start, end, now) => ({ start, end, old: text.slice(start, end), new: now }),
  }
}

export const stretchOf = (source: Source, { start, end }: Range) => ({
  start: source.offsetOf(start),
  end: source.offsetOf(end),
})
