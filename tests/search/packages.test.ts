import { cpSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { GrepOptions } from '../../src/knowledge/search/types.ts'
import { memoryDirectory } from '../memory-directory.ts'
import { createRandom, type Random } from '../patch-differential/random.ts'
import { indexedAt, question } from './indexed.ts'
import { randomGlobs } from './random-globs.ts'

const isLong = process.env['TOOLWRIGHT_LONG'] === '1'
const QUESTIONS = isLong ? 2_000 : 12
const PACKAGES = ['zod', 'fast-check', ...(isLong ? ['oxlint', 'typescript', 'vitest', 'vite'] : [])]

it(
  `${QUESTIONS} questions about ${PACKAGES.join(', ')} get the answers of ripgrep from the index`,
  { timeout: isLong ? 3_600_000 : 180_000 },
  async () => {
    const path = memoryDirectory('toolwright-packages-')
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    for (const name of PACKAGES) cpSync(join('node_modules', name), join(path, name), { recursive: true })
    const some = await indexedAt(path)
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => /\.\w+$/.test(name))
    const random = createRandom(Number(process.env['TOOLWRIGHT_SEED'] ?? 5))
    let answered = 0
    for (let round = 0; round < QUESTIONS; round++)
      if (await some.isSame(randomQuestion(random, path, names))) answered++
    expect(answered).toBeGreaterThan(QUESTIONS * 0.9)
  },
)

function randomQuestion(random: Random, path: string, names: readonly string[]): GrepOptions {
  const regex = random.chance(0.5)
  const patterns = Array.from({ length: random.chance(0.15) ? 2 : 1 }, () => {
    const text = cut(random, path, names)
    return regex ? loosened(random, text) : text
  })
  return question(patterns, {
    regex,
    ignoreCase: random.chance(0.3),
    word: random.chance(0.15),
    hidden: random.chance(0.8),
    maxResults: random.pick([50, 2_000]),
    skip: random.chance(0.1) ? 5 : 0,
    ...(random.chance(0.1) && { before: 1, after: 2 }),
    ...(random.chance(0.15) && { only: random.pick(['files', 'counts']) }),
    ...(random.chance(0.3) && { globs: randomGlobs(random, names) }),
  })
}

/** A piece of a line of one of the files. */
function cut(random: Random, path: string, names: readonly string[]): string {
  for (;;) {
    const lines = textOf(join(path, names[random.int(names.length)] ?? '')).split(/\r?\n/)
    const line = lines[random.int(lines.length)] ?? ''
    const from = random.int(Math.max(1, line.length - 4))
    const text = line.slice(from, from + 2 + random.int(20))
    if (text.trim().length > 1 && text.isWellFormed() && !text.includes('\0')) return text
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The same text as an expression, with some of its characters left open. */
function loosened(random: Random, text: string): string {
  return [...text]
    .map(char => {
      const exact = /[\w\s]|[^\0-\x7f]/.test(char) ? char : `\\${char}`
      if (random.chance(0.9)) return exact
      if (/\d/.test(char)) return random.pick(['\\d', '\\d+', '[0-9]'])
      if (/\w/.test(char)) return random.pick(['\\w', '\\w+', '.', `[${char}x]`, `(?:${char}|\\s)`])
      return /\s/.test(char) ? '\\s+' : '.'
    })
    .join('')
}
