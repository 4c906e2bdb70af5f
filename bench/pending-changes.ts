import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SearchIndex } from '../src/knowledge/search/index/types.ts'
import type { GrepOptions } from '../src/knowledge/search/types.ts'
import { times, type Goal, type Row } from './bench.ts'
import type { Corpus } from './corpora.ts'
import type { OpenedIndex } from './opened-index.ts'
import { ripgrep, type Question } from './peers.ts'
import { productSearch, type ProductSearch } from './product-search.ts'
import { interleave, median, type Work } from './sample.ts'
import { openedTwin } from './twin.ts'

const LIMITS = { maxResults: 1_000_000, timeoutMs: 60_000 }
const REFRESHED: GrepOptions = { patterns: ['encodeURIComponent'], ...LIMITS }
const OTHERS: Readonly<Record<string, GrepOptions>> = {
  rare: REFRESHED,
  medium: { patterns: ['setTimeout'], ...LIMITS },
  'function\\s+\\w+Error': { patterns: ['function\\s+\\w+Error'], regex: true, ...LIMITS },
}
const MANY = 1_000
/** What people write themselves; a bundle is made by a program. */
const WRITTEN_BYTES = 64 * 1024
const MOST = 1.2
/** Of one written file, and of a thousand. */
const ROUNDS = { one: 60, many: 9 }

/** The cost of one file written right before a request, and of a thousand, without waiting for the index to read them. */
export async function pendingChanges(corpus: Corpus, still: OpenedIndex, goals: Goal[]): Promise<readonly Row[]> {
  const files = still.tree.files()
  const paths = spread([...files.values()].filter(({ size }) => size <= WRITTEN_BYTES).map(({ path }) => path))
  await using twin = await openedTwin(corpus, [...files.keys()], paths)
  await using calm = await productSearch(corpus.path, still)
  await using busy = await productSearch(twin.path, twin.opened)
  using elsewhere = temporaryDirectory()
  const texts = paths.map(path => ({ path, text: readFileSync(join(corpus.path, path)) }))
  const inTwin = texts.map(({ path, text }) => ({ path: join(twin.path, path), text }))
  // The same work right before the question that nothing disturbs: writing leaves cold caches behind wherever it is done.
  const outside = texts.map(({ text }, at) => ({ path: join(elsewhere.path, String(at)), text }))
  const rows = [await refreshed(corpus, twin.opened.index, () => write(inTwin.slice(0, 1)), goals)]
  for (const [name, options] of Object.entries(OTHERS)) {
    const what = `${corpus.name}: ${name}`
    const undisturbed = asker(calm, options)
    const one = asker(busy, options)
    const ones = await interleave(
      {
        elsewhere: () => write(outside.slice(0, 1)),
        undisturbed: undisturbed.ask,
        written: () => write(inTwin.slice(0, 1)),
        one: one.ask,
      },
      { rounds: ROUNDS.one, warmUp: 5 },
    )
    rows.push(compared(`${what}, one file pending`, ones.one, ones.undisturbed, goals, one.said()))
    const [many, after] = [asker(busy, options), asker(busy, options)]
    const samples = await interleave(
      {
        elsewhere: () => write(outside),
        undisturbed: undisturbed.ask,
        written: () => write(inTwin),
        many: many.ask,
        caughtUp: () => caughtUp(twin.opened.index),
        still: undisturbed.ask,
        after: after.ask,
        ripgrep: () => ripgrep(twin.path, questionOf(options)),
      },
      { rounds: ROUNDS.many, warmUp: 1, repeat: { still: 5, after: 5 } },
    )
    const pending = compared(`${what}, a thousand pending`, samples.many, samples.undisturbed, goals, many.said())
    rows.push(besideRipgrep(pending, samples.many, samples.ripgrep, goals))
    rows.push(compared(`${what}, a thousand read since`, samples.after, samples.still, goals, after.said()))
    const [right, found] = [undisturbed.totals(), [...one.totals(), ...many.totals(), ...after.totals()]]
    const wrong = found.filter(total => total !== right[0]).length
    if (wrong > 0)
      goals.push({
        what: `${what}, answers while files are written`,
        limit: 'right',
        measured: `${wrong} wrong`,
        met: false,
      })
  }
  return rows
}

/** A write, then a question, beside the same question with nothing new. */
async function refreshed(corpus: Corpus, index: SearchIndex, written: Work, goals: Goal[]): Promise<Row> {
  const ask = () => index.grep({ options: REFRESHED })
  const samples = await interleave({ written, after: ask, still: ask }, { rounds: 100, warmUp: 10 })
  const ms = (median(samples.after) - median(samples.still)) / 1000
  const what = `${corpus.name}: refresh after one write`
  goals.push({ what, limit: '< 1 ms', measured: `${ms.toFixed(2)} ms`, met: ms < 1 })
  return { what, cells: { ours: ms } }
}

function compared(what: string, ours: Float64Array, peer: Float64Array, goals: Goal[], note: string): Row {
  const ratio = median(ours) / median(peer)
  goals.push({ what, limit: `≤ ${times(MOST)}`, measured: times(ratio), met: ratio <= MOST })
  return {
    what,
    cells: { ours: median(ours) / 1000, undisturbed: median(peer) / 1000, note: `${times(ratio)}, ${note}` },
  }
}

/** However much is pending, a request takes no longer than an undisturbed scan. */
function besideRipgrep(row: Row, ours: Float64Array, peer: Float64Array, goals: Goal[]): Row {
  const ratio = median(peer) / median(ours)
  const what = `${row.what}: never slower than ripgrep's own scan`
  goals.push({ what, limit: `≥ ${times(1)}`, measured: times(ratio), met: ratio >= 1 })
  return { ...row, cells: { ...row.cells, ripgrep: median(peer) / 1000, 'to ripgrep': times(ratio) } }
}

const questionOf = ({ patterns: [pattern = ''], regex = false }: GrepOptions): Question => ({ pattern, regex })

/** Asks as a call of the product does, and remembers who answered. */
function asker(product: ProductSearch, options: GrepOptions) {
  const asked = { index: 0, scan: 0 }
  const totals: number[] = []
  return {
    async ask(): Promise<void> {
      const { total, freshness } = await product.engine().grep(options)
      asked[freshness.source]++
      totals.push(total)
    },
    totals: () => totals,
    said: () => (asked.scan === 0 ? 'by the index' : `${asked.scan} of ${asked.scan + asked.index} by scan`),
  }
}

let writes = 0

/** Another text each time, and no line that is asked for. */
function write(files: readonly { readonly path: string; readonly text: Buffer }[]): void {
  const last = Buffer.from(`\n// ${++writes}\n`)
  for (const { path, text } of files) writeFileSync(path, Buffer.concat([text, last]))
}

/** Until the index answers by itself again. */
async function caughtUp(index: SearchIndex): Promise<void> {
  const until = performance.now() + 60_000
  while ('scan' in (await index.grep({ options: { ...REFRESHED, maxResults: 1 } }))) {
    if (performance.now() > until) throw new Error('The index did not catch up within a minute')
    await pause(20)
  }
}

/** So many of them, from everywhere. */
const spread = (paths: readonly string[]): readonly string[] =>
  paths.length <= MANY
    ? paths
    : Array.from({ length: MANY }, (_, at) => paths[Math.floor((at * paths.length) / MANY)] ?? '')

function temporaryDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'toolwright-bench-elsewhere-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
