import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelEmbedder } from '../src/knowledge/memory/embed/model-embedder.ts'
import { ownModel } from '../src/knowledge/memory/embed/model-files.ts'
import { openEmbeddedStore, type EmbeddedStore } from '../src/knowledge/memory/embedded/embedded-store.ts'
import { completeFix, type Fix } from '../src/knowledge/memory/fix.ts'
import type { Embedder } from '../src/knowledge/memory/types.ts'
import type { Bench, Goal, Row } from './bench.ts'
import { drawing, variantOf } from './memory-variants.ts'

const SIZES = [1_000, 10_000]
const ASKED = 100
const DIMENSION = 384
const never = new AbortController().signal

/** Stored text and a query in other words, and texts that no query is about. */
interface Pairs {
  readonly pairs: readonly (readonly [stored: string, query: string])[]
  readonly distract: readonly string[]
}

/** How fast past fixes are stored and found, and how often the right one is. */
export const memory: Bench = {
  about: 'past fixes: insert and search of 1k and 10k, embedding apart; recall beside words alone and vectors alone',
  async run() {
    const { pairs, distract }: Pairs = JSON.parse(readFileSync(join(import.meta.dirname, 'data', 'pairs.json'), 'utf8'))
    const texts = [...pairs.map(([stored]) => stored), ...distract]
    const rows: Row[] = []
    for (const size of SIZES) rows.push(...(await timed(size, texts)))
    const model = modelEmbedder(ownModel())
    try {
      rows.push(...(await embedding(model, texts)))
      const draw = drawing(7)
      const variants = texts.flatMap(text => [1, 2].map((): readonly [string, string] => [text, variantOf(text, draw)]))
      const hard = await quality('other words', texts, pairs, model)
      const same = await quality('other names, stack frames', texts, variants, model)
      rows.push(...hard.rows, ...same.rows)
      return {
        rows,
        goals: [
          atLeast('recall at 1, other words', hard.ours.at1, 0.45),
          atLeast('recall at 5, other words', hard.ours.at5, 0.8),
          atLeast('recall at 5, other names and stack frames', same.ours.at5, 0.97),
        ],
        notes: [
          'inserts and searches use vectors that cost nothing: the time of the model is in rows of its own',
          'an insert is on disk for certain when it returns',
        ],
      }
    } finally {
      await model.close()
    }
  },
}

async function timed(size: number, texts: readonly string[]): Promise<readonly Row[]> {
  const draw = drawing(size)
  const fixOf = (at: number): Fix => {
    const text = variantOf(texts[at % texts.length] ?? '', draw)
    return completeFix({
      id: `fix-${at}`,
      errorDescription: text,
      rootCause: `Number ${at}: ${variantOf(texts[draw(texts.length)] ?? '', draw).slice(0, 120)}`,
      solution: `Change ${draw(1_000_000)} back`,
      language: at % 3 === 0 ? 'python' : 'typescript',
      confidence: (at % 10) / 10,
    })
  }
  return withStore(cheapEmbedder(), async (store, reopened) => {
    for (let at = 0; at < size; at += 500)
      await store.put(
        Array.from({ length: Math.min(500, size - at) }, (_, each) => fixOf(at + each)),
        never,
      )
    const inserts = await taken(at => store.add(fixOf(size + at), { evenIfSimilar: true }, never))
    const { bytes = 0 } = await store.status(never)
    const query = () => ({ text: variantOf(texts[draw(texts.length)] ?? '', draw), limit: 5 })
    const searches = await taken(() => store.search(query(), never))
    const filtered = await taken(() =>
      store.search({ ...query(), filter: { language: 'python', minConfidence: 0.7 } }, never),
    )
    const byWords = await taken(() => store.searchWords(query(), never))
    const first = await taken(async () => {
      const other = reopened()
      await other.search(query(), never)
      await other.close()
    }, 5)
    const name = `${size / 1000}k fixes`
    return [
      { what: `${name}: insert`, cells: cells(inserts) },
      { what: `${name}: search`, cells: cells(searches) },
      { what: `${name}: search with filters`, cells: cells(filtered) },
      { what: `${name}: search by words`, cells: cells(byWords) },
      { what: `${name}: open and search once`, cells: cells(first) },
      { what: `${name}: on disk`, cells: { MB: bytes / 1e6 } },
    ]
  })
}

async function embedding(model: Embedder, texts: readonly string[]): Promise<readonly Row[]> {
  const start = await taken(async () => {
    await model.close()
    await model.embed(['a text'], never)
  }, 3)
  const short = await taken(at => model.embed([texts[at % texts.length] ?? ''], never))
  const long = await taken(() => model.embed([texts.join(' ')], never), 10)
  return [
    { what: 'model: start and first text', cells: cells(start) },
    { what: 'model: an error message', cells: cells(short) },
    { what: 'model: 256 tokens', cells: cells(long) },
  ]
}

interface Recall {
  readonly at1: number
  readonly at5: number
  readonly reciprocal: number
}

/** Asks for each stored text by its query: by words alone, by vectors alone, and as the product ranks. */
async function quality(
  name: string,
  texts: readonly string[],
  pairs: readonly (readonly [stored: string, query: string])[],
  model: Embedder,
): Promise<{ readonly rows: readonly Row[]; readonly ours: Recall }> {
  return withStore(model, async store => {
    await store.put(
      texts.map(text => completeFix({ errorDescription: text, rootCause: 'not known', solution: 'not known' })),
      never,
    )
    const ranks: Record<'lexical' | 'dense' | 'ours', number[]> = { lexical: [], dense: [], ours: [] }
    for (const [wanted, text] of pairs) {
      const query = { text, limit: texts.length, embedWithinMs: 60_000 }
      const rankIn = (found: readonly { readonly fix: Fix }[]): number => {
        const at = found.findIndex(({ fix }) => fix.errorDescription === wanted)
        return at < 0 ? Infinity : at + 1
      }
      const { results } = await store.search(query, never)
      ranks.ours.push(rankIn(results))
      ranks.dense.push(rankIn(results.toSorted((one, other) => other.similarity - one.similarity)))
      const byWords = await store.searchWords(query, never).catch(() => ({ results: [] }))
      ranks.lexical.push(rankIn(byWords.results))
    }
    const rows = Object.entries(ranks).map(([how, places]) => {
      const { at1, at5, reciprocal } = recallOf(places)
      return { what: `${name}: ${how}`, cells: { 'recall@1': at1, 'recall@5': at5, MRR: reciprocal } }
    })
    return { rows, ours: recallOf(ranks.ours) }
  })
}

function recallOf(ranks: readonly number[]): Recall {
  const share = (most: number): number => ranks.filter(rank => rank <= most).length / ranks.length
  return { at1: share(1), at5: share(5), reciprocal: ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length }
}

const atLeast = (what: string, value: number, limit: number): Goal => ({
  what,
  limit: `≥ ${limit}`,
  measured: value.toFixed(2),
  met: value >= limit,
})

async function withStore<T>(
  embedder: Embedder,
  work: (store: EmbeddedStore, reopened: () => EmbeddedStore) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-bench-memory-'))
  const open = () =>
    openEmbeddedStore({ file: join(directory, 'fixes.sqlite'), embedder, redact: (text: string) => text })
  const store = open()
  try {
    return await work(store, open)
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Vectors that depend on the text and cost nothing. */
function cheapEmbedder(): Embedder {
  return {
    name: 'cheap',
    dimension: DIMENSION,
    embed: async texts =>
      texts.map(text => {
        const draw = drawing([...text].reduce((sum, letter) => Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0), 7))
        const vector = Float32Array.from({ length: DIMENSION }, () => draw(2_001) / 1_000 - 1)
        const length = Math.hypot(...vector)
        return vector.map(value => value / length)
      }),
    close: async () => {},
  }
}

interface Taken {
  readonly p50: number
  readonly p95: number
}

async function taken(work: (at: number) => Promise<unknown>, rounds = ASKED): Promise<Taken> {
  const all: number[] = []
  for (let at = 0; at < rounds; at++) {
    const before = performance.now()
    await work(at)
    all.push(performance.now() - before)
  }
  const sorted = all.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}

const cells = ({ p50, p95 }: Taken): Row['cells'] => ({ 'p50 ms': p50, 'p95 ms': p95 })
