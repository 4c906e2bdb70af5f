import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oncePer } from '../../kernel/once.ts'
import { LONGEST_SHOWN, OMITTED_END, showFrom } from './pattern/show-line.ts'
import { runRipgrep } from './ripgrep.ts'
import { searchArgs } from './scan.ts'
import { splitLines } from './split-lines.ts'
import type { GrepMatch, GrepOptions } from './types.ts'

interface CenterOptions {
  readonly options: GrepOptions
  /** Returns the text of a file in UTF-8, as an answer may show it; undefined if it cannot be read any more. */
  readonly read: (path: string) => Buffer | undefined
}

/** Shows each long line around its first match instead of from its beginning, where the match is further on. */
export async function centerLongLines(
  matches: readonly GrepMatch[],
  { options, read }: CenterOptions,
): Promise<readonly GrepMatch[]> {
  // Each of these shows its match already, or there is none.
  if (options.onlyMatching || options.invert || !matches.some(isCut)) return matches
  const linesOf = oncePer((path: string) => splitLines(read(path) ?? Buffer.alloc(0)))
  const long = matches.filter(isCut).flatMap(match => {
    const line = linesOf(match.path)[match.line - 1 + cutLine(match)]
    return line && line.length > LONGEST_SHOWN ? [{ match, line }] : []
  })
  const bytes = long.reduce((sum, { line }) => sum + line.length, 0)
  if (long.length === 0 || bytes > MOST_BYTES) return matches
  const columns = await firstMatches(
    long.map(({ line }) => line),
    options,
  )
  const centeredTexts = new Map(
    long.flatMap(({ match, line }, at) => {
      const column = columns.get(at)
      return column === undefined || column < NEAR ? [] : [[match, showFrom(line, column - BEFORE)] as const]
    }),
  )
  return matches.map(match => {
    const text = centeredTexts.get(match)
    if (text === undefined) return match
    const lines = match.text.split('\n')
    return { ...match, text: lines.with(cutLine(match), text).join('\n') }
  })
}

const cutLine = ({ text }: GrepMatch): number => text.split('\n').findIndex(line => line.endsWith(OMITTED_END))
const isCut = (match: GrepMatch): boolean => cutLine(match) >= 0

/** A match before this column is well within the beginning of its line. */
const NEAR = 800
/** Bytes shown before the match. */
const BEFORE = 200
/** Beyond this, lines are shown from their beginnings. */
const MOST_BYTES = 64 * 1024 * 1024
const LONGEST_MS = 5_000

/** Returns the column in bytes, from 0, of the first match in each line that has one. */
async function firstMatches(lines: readonly Buffer[], options: GrepOptions): Promise<ReadonlyMap<number, number>> {
  const columns = new Map<number, number>()
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-search-'))
  try {
    // The empty line at the beginning keeps a first line from being taken for a byte order mark.
    const text = Buffer.concat(lines.flatMap(line => [NEWLINE, line]))
    writeFileSync(join(directory, 'lines'), text, { mode: 0o600, flag: 'wx' })
    const { before: _, after: __, multiline: ___, ...searchOptions } = options
    let rest = ''
    await runRipgrep({
      cwd: directory,
      args: ['--no-ignore', '--no-filename', '--column', '--max-columns=1', ...searchArgs(searchOptions), '.'],
      timeoutMs: Math.min(options.timeoutMs, LONGEST_MS),
      signal: options.signal,
      onOutput(bytes) {
        const outputLines = (rest + bytes.toString('latin1')).split('\n')
        rest = outputLines.pop() ?? ''
        for (const one of outputLines) {
          const [, line, column] = /^(\d+):(\d+):/.exec(one) ?? []
          if (column !== undefined) columns.set(Number(line) - 2, Number(column) - 1)
        }
      },
    })
    return columns
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const NEWLINE = Buffer.from('\n')
