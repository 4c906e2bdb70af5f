import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { rgPath } from '@vscode/ripgrep'
import type { GrepMatch } from '../src/knowledge/search/types.ts'
import type { Goal } from './bench.ts'
import { ended, ripgrep, ripgrepArgs, type Question } from './peers.ts'

/** Of a long line we show the beginning. */
const COMPARED = 200

type Line = Pick<GrepMatch, 'path' | 'line' | 'text'>

/** How many lines ripgrep prints and we do not find, or we find and it does not print: by file, number and text. */
export async function differentLines(cwd: string, question: Question, matches: readonly Line[]): Promise<number> {
  const ours = new Map(matches.map(({ path, line, text }) => [`./${path}\0${line}`, beginning(text)]))
  let different = matches.length - ours.size
  const child = spawn(rgPath, ['--null', ...ripgrepArgs(question)], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = ended(child)
  for await (const printed of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    const at = printed.indexOf(':', printed.indexOf('\0'))
    const place = printed.slice(0, at)
    if (ours.get(place) !== beginning(printed.slice(at + 1))) different++
    ours.delete(place)
  }
  await end
  return different + ours.size
}

/** What `grep` of a whole call answers. */
export interface GrepAnswer {
  readonly total: number
  readonly matches: readonly Line[]
}

/** Returns how many lines ripgrep prints. Another total than that, or other lines up to the limit, are a missed goal. */
export async function ripgrepLines(
  what: string,
  cwd: string,
  question: Question,
  { total, matches }: GrepAnswer,
  limit: number,
  goals: Goal[],
): Promise<number> {
  const lines = await ripgrep(cwd, question)
  const different = await differentLines(cwd, question, matches)
  // What is past the limit is not shown.
  const isSame = matches.length === Math.min(lines, limit) && different === lines - matches.length
  if (total !== lines || !isSame)
    goals.push({
      what: `${what}: ripgrep's lines`,
      limit: String(lines),
      measured: `${total}, ${matches.length} shown, not the same`,
      met: false,
    })
  return lines
}

const beginning = (text: string): string => text.slice(0, COMPARED).trimEnd()

/** An answer without the symbols around its lines, which it leaves out where they would hold it up. */
export const linesOf = ({ total, matches }: GrepAnswer): unknown => [
  total,
  ...matches.map(({ path, line, text }) => `${path}:${line}:${text}`),
]
