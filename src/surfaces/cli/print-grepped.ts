import { inertBlock } from '../../kernel/inert.ts'
import type { Here } from './find-workspace.ts'
import { sayFile } from './say-file.ts'
import { painter, say, type Terminal } from './terminal.ts'

interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

/** What the tool `grep` answers, as far as people see it. */
export interface GrepAnswer {
  readonly matches: readonly Match[]
  readonly files?: readonly { readonly path: string; readonly count?: number }[]
  readonly total: number
  readonly filesHidden: number
  readonly next?: { readonly skip: number }
  readonly timedOut?: boolean
}

interface Line {
  readonly text: string
  readonly isMatch: boolean
}

/** On a terminal lines under the name of their file, and nothing that could steer it; else `path:line:text` as it is. */
export function printGrepped(terminal: Terminal, { matches, files }: GrepAnswer, { shown }: Pick<Here, 'shown'>): void {
  const paint = painter(terminal)
  const isTerminal = terminal.stdout.isTTY === true
  for (const { path, count } of files ?? []) sayFile(terminal, shown(path), count === undefined ? '' : `:${count}`)
  let isFirst = true
  for (const [found, lines] of byFile(matches)) {
    const path = shown(found)
    if (!isFirst && isTerminal) say(terminal, '')
    else if (!isFirst && hasContext(matches)) say(terminal, '--')
    if (isTerminal) sayFile(terminal, path)
    isFirst = false
    let last: number | undefined
    for (const [line, { text, isMatch }] of lines) {
      if (last !== undefined && line > last + 1 && hasContext(matches)) say(terminal, paint('dim', '--'))
      last = line
      const mark = isMatch ? ':' : '-'
      if (isTerminal) say(terminal, `${paint('green', String(line))}${mark}${inertBlock(text)}`)
      else sayFile(terminal, path, `${mark}${line}${mark}${text}`)
    }
  }
}

const hasContext = ([match]: readonly Match[]): boolean => match?.before !== undefined || match?.after !== undefined

/** The lines of each file once, matches and what is around them, in their order. */
function byFile(matches: readonly Match[]): ReadonlyMap<string, readonly (readonly [number, Line])[]> {
  const files = new Map<string, Map<number, Line>>()
  for (const { path, line, text, before = [], after = [] } of matches) {
    const lines = files.get(path) ?? new Map<number, Line>()
    files.set(path, lines)
    const own = text.split('\n')
    const around = [...before, ...own, ...after]
    for (const [at, one] of around.entries()) {
      const number = line - before.length + at
      const isMatch = at >= before.length && at < before.length + own.length
      if (isMatch || !lines.has(number)) lines.set(number, { text: one, isMatch })
    }
  }
  return new Map([...files].map(([path, lines]) => [path, [...lines].toSorted(([one], [other]) => one - other)]))
}
