import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import type { Toolkit } from '../src/toolkit.ts'
import { builtResident } from './built-resident.ts'
import { atMost, times, type Bench, type Goal, type Row } from './bench.ts'
import { corpora, type Corpus } from './corpora.ts'
import { differentLines } from './different-lines.ts'

const MEGABYTE = 1 << 20
const MOST_TO_TEXT = 2.5
const MOST_MEGABYTES = 250
const REST_MS = 15_000

/** Asked before the memory is read once more: a literal, an expression, and names. */
const QUESTIONS = [
  { pattern: 'encodeURIComponent' },
  { pattern: 'TODO|FIXME', regex: true },
  { pattern: '[A-Z]{6,}\\d{2}', regex: true },
] as const

/** What the process of a workspace holds, beside the text that it indexes. */
export const memoryUse: Bench = {
  about: 'memory of the process that holds the index, right after the build and after questions, beside the text',
  async run() {
    const rows: Row[] = []
    const goals: Goal[] = []
    for (const corpus of corpora(['small', 'medium'])) await measure(corpus, rows, goals)
    return {
      rows,
      goals,
      notes: [
        'MB of the process, as it is installed, and of those that it started, shared pages counted in part (Pss); text: the files without .git',
        `at rest: ${REST_MS / 1000} s later`,
        'after questions: three of them, answered by the index with the lines of ripgrep, ten times each',
      ],
    }
  },
}

async function measure(corpus: Corpus, rows: Row[], goals: Goal[]): Promise<void> {
  await using beside = temporaryWorkspace()
  await using resident = await builtResident(corpus.path, beside.env)
  const { pid } = resident
  const built = megabytesOf(pid)
  const kit = await resident.open()
  try {
    for (const question of QUESTIONS) await demandRight(corpus, kit, question)
    for (let round = 0; round < 10; round++) for (const question of QUESTIONS) await grep(kit, question)
  } finally {
    await kit.close()
  }
  const asked = megabytesOf(pid)
  await pause(REST_MS)
  const rested = megabytesOf(pid)
  const { files, bytes } = textIn(corpus.path)
  const text = bytes / MEGABYTE
  for (const [when, held] of Object.entries({
    'after the build': built,
    'after questions': asked,
    'at rest': rested,
  })) {
    const what = `${corpus.name}, ${when}`
    rows.push({
      what,
      cells: { files: String(files), 'text MB': text, 'held MB': held, 'to text': times(held / text) },
    })
    if (corpus.name === 'small') continue
    goals.push(
      {
        what: `${what}: to the text`,
        limit: `≤ ${times(MOST_TO_TEXT)}`,
        measured: times(held / text),
        met: held / text <= MOST_TO_TEXT,
      },
      atMost(`${what}: ${files.toLocaleString('en')} files`, held, MOST_MEGABYTES, 'MB'),
    )
  }
}

interface Found {
  readonly total: number
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[]
  readonly freshness: { readonly source: string }
}

async function grep(kit: Toolkit, question: object): Promise<Found> {
  const { outcome } = await kit.run('grep', { ...question, limit: 1_000 })
  if (!outcome.ok) throw new Error(outcome.error.message)
  return outcome.data as Found
}

async function demandRight(corpus: Corpus, kit: Toolkit, question: (typeof QUESTIONS)[number]): Promise<void> {
  const { total, matches } = await grep(kit, question)
  const different = await differentLines(corpus.path, question, matches)
  if (different !== total - matches.length) throw new Error(`${question.pattern}: not the lines of ripgrep`)
}

/** The memory of a process and of all below it. */
function megabytesOf(pid: number): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .flatMap(name => {
        const parent = field(`/proc/${name}/status`, /^PPid:\s+(\d+)/m)
        return parent === undefined ? [] : [[Number(name), parent] as const]
      }),
  )
  const isBelow = (one: number | undefined): boolean =>
    one === pid || (one !== undefined && one > 1 && isBelow(parents.get(one)))
  const own = [...parents.keys()].filter(isBelow)
  return own.reduce((sum, one) => sum + (field(`/proc/${one}/smaps_rollup`, /^Pss:\s+(\d+)/m) ?? 0), 0) / 1024
}

/** A number in a file of the system; undefined for a process that has ended. */
function field(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, 'utf8'))
    return found ? Number(found[1]) : undefined
  } catch {
    return undefined
  }
}

function textIn(path: string): { readonly files: number; readonly bytes: number } {
  const sizes = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.parentPath.startsWith(join(path, '.git')))
    .map(entry => statSync(join(entry.parentPath, entry.name)).size)
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}
