import { execFile } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { times, type Goal, type Row } from './bench.ts'
import type { Corpus } from './corpora.ts'
import { openedIndex, type OpenedIndex } from './opened-index.ts'
import { ripgrep } from './peers.ts'
import { interleave, median } from './sample.ts'

const ROUNDS = 3
/** What the faster build of the public indexers took, as a ratio to ripgrep's time for a rare literal on the same files. */
const INDEXERS: Readonly<Partial<Record<Corpus['name'], number>>> = { medium: 2_900 / 119, large: 9_200 / 601 }

/** What is said if there is none: codesearch is a program in Go, which no registry of packages for Node has. */
export const cindexNote = (): string =>
  cindexProgram() === undefined
    ? 'built: cindex is not in PATH, so that the goal of a cold build (≤ 1.00x of cindex) was not measured; beside it stands what the best public indexer takes, by its ratio to ripgrep, which is no goal'
    : `built: medians of ${ROUNDS} in turn; cindex leaves out names that begin with a dot and very long lines, and heeds no ignore files`

/** The time that the index took from nothing, beside cindex where it is there. */
export async function coldBuild(corpus: Corpus, opened: OpenedIndex, goals: Goal[]): Promise<Row> {
  const { textBytes, bytes } = opened.index.status()
  const size = `${opened.tree.files().size.toLocaleString('en')} files, ${Math.round(textBytes / 1e6)} MB`
  const what = `${corpus.name}: built, ${size}, ${Math.round(bytes / 1e6)} MB held`
  const cindex = cindexProgram()
  if (cindex === undefined) return besideRipgrep(corpus, opened, what)
  const samples = await interleave(
    { ours: () => builtOnce(corpus.path), cindex: () => indexedOnce(cindex, corpus.path) },
    { rounds: ROUNDS },
  )
  const ratio = median(samples.ours) / median(samples.cindex)
  goals.push({
    what: `${corpus.name}: cold build, to cindex`,
    limit: '≤ 1.00x',
    measured: times(ratio),
    met: ratio <= 1,
  })
  return {
    what,
    cells: { ours: median(samples.ours) / 1000, cindex: median(samples.cindex) / 1000, note: times(ratio) },
  }
}

async function besideRipgrep(corpus: Corpus, { treeMs, indexMs }: OpenedIndex, what: string): Promise<Row> {
  const samples = await interleave(
    { ripgrep: () => ripgrep(corpus.path, { pattern: 'encodeURIComponent' }) },
    { rounds: ROUNDS, warmUp: 1 },
  )
  const peer = median(samples.ripgrep) / 1000
  const theirs = INDEXERS[corpus.name]
  const beside = theirs === undefined ? '' : `, tgrep ${times(theirs)}`
  return {
    what,
    cells: {
      ours: treeMs + indexMs,
      ripgrep: peer,
      cindex: 'not there',
      note: `${times((treeMs + indexMs) / peer)} of ripgrep${beside}`,
    },
  }
}

/** Closing it is part of what is timed, as the end of the program is of cindex. */
async function builtOnce(path: string): Promise<void> {
  await using _ = await openedIndex(path)
}

async function indexedOnce(cindex: string, path: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-bench-cindex-'))
  try {
    const index = join(directory, 'index')
    await promisify(execFile)(cindex, ['-reset', path], { env: { ...process.env, CSEARCHINDEX: index } })
    if (statSync(index).size === 0) throw new Error('cindex wrote an empty index')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function cindexProgram(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(directory => directory !== '')
    .map(directory => join(directory, 'cindex'))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
