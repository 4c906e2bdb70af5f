import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { expect, it } from 'vitest'
import { compilePattern } from '../../src/knowledge/search/pattern/compile-pattern.ts'
import { searchableText } from '../../src/knowledge/search/pattern/searchable-text.ts'
import { memoryDirectory } from '../memory-directory.ts'
import { createRandom, type Random } from '../patch-differential/random.ts'
import { nastyFile } from './pattern/nasty-files.ts'
import { holds, ourLines } from './pattern/our-lines.ts'
import { randomPattern } from './pattern/random-pattern.ts'
import { ripgrepLines } from './pattern/ripgrep-lines.ts'

/** Replay one round with TOOLWRIGHT_SEED=n; TOOLWRIGHT_LONG=1 runs many. */
const only = process.env['TOOLWRIGHT_SEED']
const rounds = Number(process.env['TOOLWRIGHT_ROUNDS'] ?? (process.env['TOOLWRIGHT_LONG'] === '1' ? 400 : 1))
const seeds = only === undefined ? Array.from({ length: rounds }, (_, index) => index + 1) : [Number(only)]
const FILES = 40
const PATTERNS = 50

it(
  `finds the lines that ripgrep finds, with ${seeds.length * PATTERNS} patterns in generated and real files`,
  { timeout: 3_600_000 },
  () => {
    const tally: Tally = { same: 0, found: 0, foreign: 0, slow: 0 }
    const differences = seeds.flatMap(seed => compareRound(seed, tally))
    if (only !== undefined || rounds > 5) console.log(tally, differences.length)
    expect(differences.slice(0, 8).join('\n\n')).toBe('')
    if (only !== undefined) return
    // A generator that only makes what is left to ripgrep, or finds nothing, would prove nothing.
    expect(tally.foreign).toBeLessThan(tally.same / 3)
    expect(tally.found).toBeGreaterThan(tally.same / 2)
    expect(tally.slow).toBeLessThan(1 + tally.same / 100)
  },
)

interface Tally {
  same: number
  found: number
  foreign: number
  /** Took JavaScript's engine too long, which a search ends by ending its thread. */
  slow: number
}

function compareRound(seed: number, tally: Tally): string[] {
  const random = createRandom(seed)
  const directory = memoryDirectory('toolwright-pattern-')
  try {
    const texts = writeFiles(random, directory)
    const differences: string[] = []
    for (let times = 0; times < PATTERNS; times++) {
      const difference = compare(random, directory, texts, tally)
      if (difference !== undefined) differences.push(`seed ${seed}: ${difference}`)
    }
    return differences
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function compare(
  random: Random,
  directory: string,
  texts: ReadonlyMap<string, Buffer>,
  tally: Tally,
): string | undefined {
  const options = randomPattern(random)
  const pattern = compilePattern(options)
  if (pattern === undefined) {
    tally.foreign++
    return undefined
  }
  const theirs = ripgrepLines(directory, options)
  const shown = JSON.stringify(options)
  if ('refused' in theirs) return `${shown} is refused: ${theirs.refused}`
  const ours = inTime(() => ourLines(pattern, texts))
  if (ours === undefined) {
    tally.slow++
    return undefined
  }
  for (const path of new Set(theirs.map(line => line.slice(0, line.indexOf(':'))))) {
    const text = texts.get(path)
    if (text && !holds(text, pattern.needs)) return `${shown} needs what ${path} does not hold`
  }
  tally.same++
  if (theirs.length > 0) tally.found++
  const at = ours.findIndex((line, place) => line !== theirs[place])
  if (at < 0 && ours.length === theirs.length) return undefined
  const place = at < 0 ? ours.length : at
  return `${shown}\n  ours   ${JSON.stringify(ours[place])}\n  theirs ${JSON.stringify(theirs[place])}`
}

const SLOW_MS = 4_000

/** What a function gives, unless it takes too long; not even a regular expression can hold on to the thread. */
function inTime<T>(work: () => T): T | undefined {
  const given: { value?: T } = {}
  try {
    Object.assign(globalThis, { patternWork: () => void (given.value = work()) })
    runInThisContext('patternWork()', { timeout: SLOW_MS })
    return given.value
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}

/** Files on disk, and what is searched of them. */
function writeFiles(random: Random, directory: string): Map<string, Buffer> {
  const real = realFiles(random)
  const texts = new Map<string, Buffer>()
  for (let at = 0; at < FILES; at++) {
    const name = `f${String(at).padStart(3, '0')}`
    const bytes = real[at] ?? nastyFile(random)
    writeFileSync(join(directory, name), bytes)
    const text = searchableText(bytes)
    if (text !== undefined) texts.set(name, text)
  }
  return texts
}

const PACKAGES = ['zod', 'vitest', 'vite', 'fast-check', 'typescript', 'oxlint'] as const

function realFiles(random: Random): Buffer[] {
  const folder = join('node_modules', random.pick(PACKAGES))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = names.filter(name => /\.(?:m?[jt]s|md|json)$/.test(name))
  return Array.from({ length: 4 }, () => readFileSync(join(folder, sources[random.int(sources.length)] ?? ''))).filter(
    bytes => bytes.length < 100_000,
  )
}
