import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openToolkit, type Toolkit } from '../src/toolkit.ts'
import type { Goal, Report, Row } from './bench.ts'
import { corpora, type Corpus } from './corpora.ts'
import { ripgrep } from './peers.ts'
import { interleave, median, quantile } from './sample.ts'

const QUERIES = 20
const EDITS = 3
const HOPS = [1, 2, 3] as const
const KNOWN_MS = 50

/** Graphs of real packages: how long one takes to be made, from nothing and after a change, and what questions cost. */
export async function measureGraph(sizes: readonly Corpus['name'][]): Promise<Report> {
  const reports: Report[] = []
  for (const corpus of corpora(sizes)) reports.push(await measured(corpus))
  return {
    rows: reports.flatMap(({ rows }) => rows),
    goals: reports.flatMap(({ goals }) => goals),
    notes: ['graph: times of whole calls; the process that makes graphs is one of its own'],
  }
}

async function measured({ name, path }: Corpus): Promise<Report> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-graph-')))
  const directory = join(base, 'workspace')
  try {
    cpSync(path, directory, { recursive: true })
    const env = { ...process.env, TOOLWRIGHT_STATE: join(base, 'state') }
    const kit = await openToolkit({ root: directory, resident: 'off', env })
    try {
      return await asked(kit, directory, name)
    } finally {
      await kit.close()
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function asked(kit: Toolkit, directory: string, size: string): Promise<Report> {
  const first = await timed(() => ask(kit, { query: 'MATCH (f:File) RETURN count(*) AS files', commit: 'HEAD' }))
  const files = Number(first.value[0]?.['files'])
  const what = (words: string) => `graph, ${files.toLocaleString('en')} files: ${words}`
  const { name, path } = await someFunction(kit)
  const known = await interleave(
    {
      known: () =>
        ask(kit, { query: 'MATCH (f:Function {name: $name}) RETURN f.path', params: { name }, commit: 'HEAD' }),
      one: () => ask(kit, hops(1, name)),
      two: () => ask(kit, hops(2, name)),
      three: () => ask(kit, hops(3, name)),
      ripgrep: () => ripgrep(directory, { pattern: String.raw`\b${name}\b`, regex: true }),
    },
    { rounds: QUERIES, warmUp: 1 },
  )
  const workspace = await timed(() => ask(kit, { query: 'MATCH (f:Function) RETURN count(*) AS functions' }))
  const edited = new Float64Array(EDITS)
  for (let turn = 0; turn < EDITS; turn++) {
    const file = join(directory, path)
    writeFileSync(file, `// ${turn}\n${readFileSync(file, 'utf8')}`)
    edited[turn] = (await timed(() => ask(kit, { query: 'MATCH (f:Function) RETURN count(*) AS functions' }))).ms * 1000
  }
  const row = (words: string, samples: Float64Array): Row => ({
    what: what(words),
    cells: { 'p50 ms': median(samples) / 1000, 'p95 ms': quantile(samples, 0.95) / 1000 },
  })
  const again = median(known.known) / 1000
  return {
    rows: [
      { what: what('build of a commit, question included'), cells: { 'p50 ms': first.ms } },
      { what: what('the workspace, with its index from nothing'), cells: { 'p50 ms': workspace.ms } },
      row('after a change in one file', edited),
      row('a question at a known commit', known.known),
      ...HOPS.map(hop =>
        row(`${hop} hop${hop > 1 ? 's' : ''} of calls`, [known.one, known.two, known.three][hop - 1] ?? known.one),
      ),
      row('  ripgrep for the name (lines, not callers)', known.ripgrep),
    ],
    goals: [
      {
        what: `a second question at a known commit, ${size}`,
        limit: `< ${KNOWN_MS} ms`,
        measured: `${again.toFixed(1)} ms`,
        met: again < KNOWN_MS,
      },
      changeGoal(size, median(edited) / 1000, first.ms),
    ],
  }
}

function changeGoal(size: string, changed: number, built: number): Goal {
  const part = changed / built
  return {
    what: `a change beside a build, ${size}`,
    limit: '≤ 0.4x',
    measured: `${part.toFixed(2)}x`,
    met: part <= 0.4,
  }
}

const hops = (count: (typeof HOPS)[number], name: string) => ({
  query: `MATCH (a)${'-[:CALLS]->()'.repeat(count - 1)}-[:CALLS]->(f {name: $name}) RETURN count(*) AS calls`,
  params: { name },
  commit: 'HEAD',
})

/** One that is called a lot, in a file of ordinary length. */
async function someFunction(kit: Toolkit): Promise<{ readonly name: string; readonly path: string }> {
  const query =
    'MATCH (a)-[:CALLS]->(f:Function) WHERE f.exported RETURN f.name AS name, f.path AS path, count(*) AS calls ORDER BY calls DESC, path LIMIT 200'
  const rows = await ask(kit, { query, commit: 'HEAD' })
  const found = rows.find(
    ({ path }) => /(?<!\.d)\.[cm]?[jt]s$/.test(String(path)) && isOrdinary(join(kit.root, String(path))),
  )
  if (!found) throw new Error('No function was found')
  return { name: String(found['name']), path: String(found['path']) }
}

const isOrdinary = (file: string): boolean => statSync(file).size < 20_000

async function ask(kit: Toolkit, input: object): Promise<readonly Readonly<Record<string, unknown>>[]> {
  for (;;) {
    const { outcome } = await kit.run('graph', input)
    if (outcome.ok) return Object(outcome.data).rows
    // A graph of many files is always built to its end.
    if (outcome.error.code !== 'timeout') throw outcome.error
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const start = performance.now()
  const value = await work()
  return { ms: performance.now() - start, value }
}
