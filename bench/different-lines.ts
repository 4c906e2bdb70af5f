import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { rgPath } from '@vscode/ripgrep'
import type { GrepMatch } from '../src/knowledge/search/types.ts'
import { ripgrepArgs, type Question } from './peers.ts'

/** Of a long line we show the beginning. */
const COMPARED = 200

/** How many lines ripgrep prints and we do not find, or we find and it does not print: by file, number and text. */
export async function differentLines(
  cwd: string,
  question: Question,
  matches: readonly Pick<GrepMatch, 'path' | 'line' | 'text'>[],
): Promise<number> {
  const ours = new Map(matches.map(({ path, line, text }) => [`./${path}\0${line}`, beginning(text)]))
  let different = matches.length - ours.size
  const child = spawn(rgPath, ['--null', ...ripgrepArgs(question)], { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  const isEnded = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  for await (const printed of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    const at = printed.indexOf(':', printed.indexOf('\0'))
    const place = printed.slice(0, at)
    if (ours.get(place) !== beginning(printed.slice(at + 1))) different++
    ours.delete(place)
  }
  await isEnded
  return different + ours.size
}

const beginning = (text: string): string => text.slice(0, COMPARED).trimEnd()
