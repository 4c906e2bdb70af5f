import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { times, type Goal, type Row } from './bench.ts'
import { fastGlobFile, referenceServer, type Corpus } from './corpora.ts'
import { demandSame } from './demand-same.ts'
import type { OpenedIndex } from './opened-index.ts'
import { stdioServer } from './mcp-servers.ts'
import { productSearch } from './product-search.ts'
import { interleave, median } from './sample.ts'

/** Few files, and very many. */
const GLOBS = ['**/*rray*', '**/*.d.ts']
const LEAST = 20
const CAP = 1_000_000
const ROUNDS = 15

type FastGlob = ((glob: string, options: object) => Promise<string[]>) & {
  readonly sync: (glob: string, options: object) => string[]
}

/** Files by their names: the product's `find`, beside fast-glob in this process and what the reference server calls a search. */
export async function findByName(corpus: Corpus, opened: OpenedIndex, goals: Goal[]): Promise<readonly Row[]> {
  const fastGlob: FastGlob = createRequire(import.meta.url)(fastGlobFile())
  const options = { cwd: corpus.path, dot: true, ignore: ['.git/**'] }
  await using product = await productSearch(corpus.path, opened)
  const find = (glob: string) => product.engine().find('.', glob, { maxResults: CAP, maxDepth: 100 })
  const rows: Row[] = []
  for (const glob of GLOBS) {
    const what = `${corpus.name}: files by name, ${glob}`
    const [ours, theirs] = [await find(glob), await fastGlob(glob, options)]
    if (ours.freshness.source !== 'index' || !isSame(ours.files, theirs))
      goals.push({
        what,
        limit: `${theirs.length} files`,
        measured: `${ours.total} by ${ours.freshness.source}`,
        met: false,
      })
    let last = ours
    const samples = await interleave(
      {
        ours: async () => (last = await find(glob)),
        compared: () => demandSame(what, last.files, ours.files),
        async: () => fastGlob(glob, options),
        sync: () => fastGlob.sync(glob, options),
        // Its garbage is collected as soon as the process waits, which otherwise were in our time.
        rest: () => pause(5),
      },
      { rounds: ROUNDS, warmUp: 2 },
    )
    const ratio = median(samples.async) / median(samples.ours)
    if (corpus.name !== 'small')
      goals.push({
        what: `${what}: faster than fast-glob`,
        limit: `≥ ${times(LEAST)}`,
        measured: times(ratio),
        met: ratio >= LEAST,
      })
    rows.push({
      what,
      cells: {
        lines: String(theirs.length),
        ours: median(samples.ours) / 1000,
        'fast-glob': median(samples.async) / 1000,
        'its sync': median(samples.sync) / 1000,
        note: times(ratio),
      },
    })
  }
  return [...rows, await besideServer(corpus, () => find('**/*rray*'), goals)]
}

async function besideServer(corpus: Corpus, find: () => Promise<unknown>, goals: Goal[]): Promise<Row> {
  await using server = await stdioServer(referenceServer(), [corpus.path])
  const asked = { path: corpus.path, pattern: '**/*rray*', excludePatterns: ['.git'] }
  const samples = await interleave(
    {
      ours: find,
      reference: async () => {
        const { isError, text } = await server.call('search_files', asked)
        if (isError) throw new Error(`search_files: ${text}`)
      },
    },
    { rounds: 2, repeat: { ours: 5 } },
  )
  const [ours, peer] = [median(samples.ours) / 1000, median(samples.reference) / 1000]
  const what = `${corpus.name}: files by name, reference server`
  goals.push({ what, limit: '≤ 0.01x', measured: `${(ours / peer).toFixed(4)}x`, met: ours / peer <= 0.01 })
  return { what, cells: { ours, 'reference server': peer } }
}

function isSame(ours: readonly string[], theirs: readonly string[]): boolean {
  const known = new Set(theirs)
  return ours.length === theirs.length && ours.every(path => known.has(path))
}
