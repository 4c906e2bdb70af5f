import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { times, type Goal, type Row } from './bench.ts'
import type { Corpus } from './corpora.ts'
import type { OpenedIndex } from './opened-index.ts'
import { ripgrep, run, type Question } from './peers.ts'
import { interleave, median } from './sample.ts'
import { statPass } from './stat-pass.ts'

const CLI = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url))
const ROUNDS = { small: 9, medium: 7, large: 5 } as const

const RARE = { what: 'rare literal', pattern: 'encodeURIComponent' }

const QUESTIONS: readonly (Question & { readonly what: string })[] = [
  RARE,
  { what: 'rare expression', pattern: 'function\\s+\\w+Error', regex: true },
  { what: 'import', pattern: 'import' },
  { what: 'every line', pattern: '.', regex: true },
]

/** One `toolwright call` that finds no process: it may take as long as ripgrep and its own start together. */
export async function oneShot(corpus: Corpus, _opened: OpenedIndex, goals: Goal[]): Promise<readonly Row[]> {
  if (!existsSync(CLI)) throw new Error('There is no dist/: run npm run build first')
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-call-')))
  const empty = join(scratch, 'empty')
  mkdirSync(empty)
  const env = { ...process.env, TOOLWRIGHT_STATE: join(scratch, 'state') }
  const call = (cwd: string, { pattern, regex = false }: Question) =>
    run(process.execPath, [CLI, 'call', 'grep', JSON.stringify({ pattern, regex }), '--json'], cwd, env)
  const rows: Row[] = []
  try {
    for (const asked of QUESTIONS) {
      const samples = await interleave(
        {
          ours: () => call(corpus.path, asked),
          start: () => call(empty, asked),
          ripgrep: () => ripgrep(corpus.path, asked),
        },
        { rounds: ROUNDS[corpus.name], warmUp: 1 },
      )
      const [ours, start, peer] = [median(samples.ours), median(samples.start), median(samples.ripgrep)]
      const ratio = ours / (peer + start)
      const what = `${corpus.name}: one shot, ${asked.what}`
      goals.push({
        what: `${what}: no slower than ripgrep and its own start`,
        limit: '≤ 1.00x',
        measured: times(ratio),
        met: ratio <= 1,
      })
      rows.push({
        what,
        cells: { ours: ours / 1000, ripgrep: peer / 1000, start: start / 1000, note: times(ratio) },
      })
    }
    return [...rows, await statPassRow(corpus, scratch)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The least that an answer from what is stored would cost: one look at each file and directory. */
async function statPassRow({ name, path }: Corpus, scratch: string): Promise<Row> {
  const { args } = statPass(path, scratch)
  const node = (...given: readonly string[]) => run(process.execPath, given, path)
  const { bare, pass, peer } = await interleave(
    {
      bare: () => node('-e', '0'),
      pass: () => node(...args),
      peer: () => ripgrep(path, RARE),
    },
    { rounds: ROUNDS[name], warmUp: 1 },
  )
  const [start, stats, all] = [median(bare), median(pass) - median(bare), median(peer)]
  return {
    what: `${name}: one shot, a stat of each file alone`,
    cells: { ours: stats / 1000, ripgrep: all / 1000, start: start / 1000, note: times(stats / all) },
  }
}
