import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SearchIndex } from '../src/knowledge/search/index/types.ts'
import type { GrepMatch, GrepOptions } from '../src/knowledge/search/types.ts'
import { times, type Goal, type Row } from './bench.ts'
import type { Corpus } from './corpora.ts'
import type { OpenedIndex } from './opened-index.ts'
import { ripgrep, type Question } from './peers.ts'
import { productSearch, type ProductSearch } from './product-search.ts'
import { interleave, median } from './sample.ts'
import { openedTwin } from './twin.ts'

const LIMITS = { maxResults: 1_000_000, timeoutMs: 60_000 }
/** A question, and a text that it finds. */
interface Asked {
  readonly options: GrepOptions
  readonly found: string
}

const RARE: Asked = { options: { patterns: ['encodeURIComponent'], ...LIMITS }, found: 'encodeURIComponent' }
const QUESTIONS: Readonly<Record<string, Asked>> = {
  rare: RARE,
  medium: { options: { patterns: ['setTimeout'], ...LIMITS }, found: 'setTimeout' },
  'function\\s+\\w+Error': {
    options: { patterns: ['function\\s+\\w+Error'], regex: true, ...LIMITS },
    found: 'function  pendingError',
  },
}
const MANY = 1_000
/** Of many written files, one in so many holds what is asked for: more would cost as a longer answer does. */
const ONE_IN = 100
/** What people write themselves; a bundle is made by a program. */
const WRITTEN_BYTES = 64 * 1024
const MOST = 1.2
/** Of one written file, and of a thousand. */
const ROUNDS = { one: 60, many: 9 }

/** The cost of one file written right before a request, and of a thousand, without waiting for the index to read them. */
export async function pendingChanges(corpus: Corpus, still: OpenedIndex, goals: Goal[]): Promise<readonly Row[]> {
  const files = still.tree.files()
  const small = [...files.values()].filter(({ size }) => size <= WRITTEN_BYTES).map(({ path }) => path)
  const texts = spread(small)
    .map(path => ({ path, text: readFileSync(join(corpus.path, path)) }))
    .filter(({ text }) => !text.includes(0))
  const paths = texts.map(({ path }) => path)
  await using twin = await openedTwin(corpus, [...files.keys()], paths)
  await using calm = await productSearch(corpus.path, still)
  await using busy = await productSearch(twin.path, twin.opened)
  using elsewhere = temporaryDirectory()
  const inTwin = (count: number, found: string) => write(twin.path, texts.slice(0, count), found)
  // The same work right before the question that nothing disturbs: writing leaves cold caches behind wherever it is done.
  const outside = texts.map(({ text }, at) => ({ path: String(at), text }))
  const rows = [await refreshed(corpus, twin.opened.index, () => inTwin(1, RARE.found), goals)]
  for (const [name, { options, found }] of Object.entries(QUESTIONS)) {
    const what = `${corpus.name}: ${name}`
    const lines = await ripgrep(corpus.path, questionOf(options))
    let written = NOTHING
    const undisturbed = asker(calm, options)
    const one = asker(busy, options)
    const ones = await interleave(
      {
        elsewhere: () => write(elsewhere.path, outside.slice(0, 1), found),
        undisturbed: undisturbed.ask,
        written: () => (written = inTwin(1, found)),
        one: one.ask,
        compared: () => [undisturbed.compare(lines, NOTHING), one.compare(lines, written)],
      },
      { rounds: ROUNDS.one, warmUp: 5 },
    )
    rows.push(compared(`${what}, one file pending`, ones.one, ones.undisturbed, goals, one.said()))
    const [many, after, all] = [asker(busy, options), asker(busy, options), writtenCounter(busy)]
    const samples = await interleave(
      {
        elsewhere: () => write(elsewhere.path, outside, found),
        undisturbed: undisturbed.ask,
        written: () => (written = inTwin(MANY, found)),
        many: many.ask,
        compared: () => many.compare(lines, written),
        counted: () => all.count(written),
        caughtUp: () => caughtUp(twin.opened.index),
        still: undisturbed.ask,
        after: after.ask,
        comparedAfter: () => [undisturbed.compare(lines, NOTHING), after.compare(lines, written)],
        ripgrep: () => ripgrep(twin.path, questionOf(options)),
      },
      { rounds: ROUNDS.many, warmUp: 1, repeat: { still: 5, after: 5 } },
    )
    const pending = compared(`${what}, a thousand pending`, samples.many, samples.undisturbed, goals, many.said())
    rows.push(besideRipgrep(pending, samples.many, samples.ripgrep, goals))
    rows.push(compared(`${what}, a thousand read since`, samples.after, samples.still, goals, after.said()))
    goals.push(...wrongAnswers(what, [undisturbed, one, many, after, all]))
  }
  return rows
}

function wrongAnswers(what: string, asked: readonly { readonly wrong: () => number }[]): readonly Goal[] {
  const wrong = asked.reduce((sum, each) => sum + each.wrong(), 0)
  if (wrong === 0) return []
  return [{ what: `${what}, answers while files are written`, limit: 'right', measured: `${wrong} wrong`, met: false }]
}

/** A write, then a question, beside the same question with nothing new. */
async function refreshed(corpus: Corpus, index: SearchIndex, change: () => Written, goals: Goal[]): Promise<Row> {
  let written = NOTHING
  let wrong = 0
  let answer: Awaited<ReturnType<SearchIndex['grep']>> | undefined
  const ask = async () => (answer = await index.grep({ options: RARE.options }))
  const lines = await ripgrep(corpus.path, questionOf(RARE.options))
  const samples = await interleave(
    {
      written: () => (written = change()),
      after: ask,
      compared: () => {
        if (!answer || 'scan' in answer || !isRight(answer, lines, written)) wrong++
      },
      still: ask,
    },
    { rounds: 100, warmUp: 10 },
  )
  const ms = (median(samples.after) - median(samples.still)) / 1000
  const what = `${corpus.name}: refresh after one write`
  goals.push({ what, limit: '< 1 ms', measured: `${ms.toFixed(2)} ms`, met: ms < 1 })
  goals.push(...wrongAnswers(what, [{ wrong: () => wrong }]))
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

interface Answer {
  readonly total: number
  readonly matches: readonly GrepMatch[]
}

/** Asks as a call of the product does, and remembers who answered and how often it was wrong. */
function asker(product: ProductSearch, options: GrepOptions) {
  const asked = { index: 0, scan: 0 }
  let last: Answer | undefined
  let wrong = 0
  return {
    async ask(): Promise<void> {
      const answer = await product.engine().grep(options)
      asked[answer.freshness.source]++
      last = answer
    },
    /** Compares the last answer with the lines that were there and those that were written. */
    compare(lines: number, written: Written): void {
      if (!last || !isRight(last, lines, written)) wrong++
      last = undefined
    },
    wrong: () => wrong,
    said: () => (asked.scan === 0 ? 'by the index' : `${asked.scan} of ${asked.scan + asked.index} by scan`),
  }
}

/** Asks for a text that every file of the last write holds, and no other. */
function writtenCounter(product: ProductSearch) {
  let wrong = 0
  return {
    async count({ stamp, files }: Written): Promise<void> {
      const { total } = await product.engine().grep({ patterns: [stamp], ...LIMITS })
      if (total !== files) wrong++
    },
    wrong: () => wrong,
  }
}

function isRight({ total, matches }: Answer, lines: number, { found }: Written): boolean {
  const fresh = matches.filter(({ path, text }) => found.get(path) === text)
  return total === lines + found.size && fresh.length === found.size
}

/** What was written at once: a text that all files hold, how many they are, and the lines that are asked for. */
interface Written {
  readonly stamp: string
  readonly files: number
  /** By path. */
  readonly found: ReadonlyMap<string, string>
}

const NOTHING: Written = { stamp: '', files: 0, found: new Map() }

let writes = 0

/** Gives each file another last line. Some of the files, others each time, hold the text that is asked for. */
function write(
  directory: string,
  files: readonly { readonly path: string; readonly text: Buffer }[],
  asked: string,
): Written {
  const stamp = `pending write ${++writes};`
  const found = new Map<string, string>()
  for (const [at, { path, text }] of files.entries()) {
    const isFound = (at + writes) % Math.min(files.length, ONE_IN) === 0
    const last = isFound ? `// ${stamp} ${asked}` : `// ${stamp}`
    if (isFound) found.set(path, last)
    writeFileSync(join(directory, path), Buffer.concat([text, Buffer.from(`\n${last}\n`)]))
  }
  return { stamp, files: files.length, found }
}

/** Until the index answers by itself again. */
async function caughtUp(index: SearchIndex): Promise<void> {
  const until = performance.now() + 60_000
  while ('scan' in (await index.grep({ options: { ...RARE.options, maxResults: 1 } }))) {
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
