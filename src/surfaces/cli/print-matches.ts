import { hasContext, linesByFile, matchLines } from '../render/matches.ts'
import type { Fields } from '../render/shape.ts'
import { printPath } from './print-path.ts'
import { painter, say, type Terminal } from './terminal.ts'
import type { UnreadableAnswer } from './warn-unreadable.ts'

interface Match extends Fields {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

/** The part of the answer of `grep` that people see. */
export interface GrepAnswer extends UnreadableAnswer {
  readonly matches: readonly Match[]
  readonly files?: readonly { readonly path: string; readonly count?: number }[]
  readonly total: number
  readonly filesHidden: number
  readonly secretFilesLeftOut: number
  readonly next?: { readonly skip: number }
  readonly timedOut?: boolean
}

interface Printing {
  readonly hits: RegExp | undefined
  /** Shows matches without the rest of their lines. */
  readonly isPart: boolean
}

/**
 * On a terminal, prints lines below the name of their file, without control characters. Elsewhere prints
 * `path:line:text` unchanged.
 */
export function printMatches(terminal: Terminal, { matches, files }: GrepAnswer, { hits, isPart }: Printing): void {
  for (const { path, count } of files ?? []) printPath(terminal, path, count === undefined ? '' : `:${count}`)
  if (terminal.stdout.isTTY) {
    for (const line of matchLines(matches, { paint: painter(terminal), hits }, isPart)) say(terminal, line)
    return
  }
  let isFirst = true
  for (const [path, lines] of linesByFile(matches, isPart)) {
    if (!isFirst && hasContext(matches)) say(terminal, '--')
    isFirst = false
    let last: number | undefined
    for (const [line, { text, isMatch }] of lines) {
      if (last !== undefined && line > last + 1 && hasContext(matches)) say(terminal, '--')
      last = line
      const mark = isMatch ? ':' : '-'
      printPath(terminal, path, `${mark}${line}${mark}${text}`)
    }
  }
}
