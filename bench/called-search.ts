import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { openToolkit, type Toolkit } from '../src/toolkit.ts'
import { times, type Goal, type Row } from './bench.ts'
import type { Corpus } from './corpora.ts'
import { differentLines } from './different-lines.ts'
import { ripgrep, type Question } from './peers.ts'
import { interleave, median, quantile } from './sample.ts'
import { warmResident } from './warm-resident.ts'

interface Asked extends Question {
  readonly what: string
  /** The least ratio of ripgrep's time to that of a whole call. */
  readonly least: number
}

const LIMIT = 1_000
const ROUNDS = 9
/** Calls before the first that counts, as many as make the engine compile what they run. */
const WARM_UP = 100

const QUESTIONS: readonly Asked[] = [
  { what: 'nothing', pattern: 'returned importing function', least: 100 },
  { what: 'rare', pattern: 'encodeURIComponent', least: 100 },
  { what: 'medium', pattern: 'createComponent', least: 50 },
  { what: 'frequent', pattern: 'setTimeout', least: 20 },
  { what: 'function\\s+\\w+Error', pattern: 'function\\s+\\w+Error', regex: true, least: 20 },
  { what: 'TODO|FIXME', pattern: 'TODO|FIXME', regex: true, least: 20 },
  { what: `import, first ${LIMIT.toLocaleString('en')}`, pattern: 'import', least: 5 },
]

/** Whole calls of `grep` through the library, with the process of the workspace, beside ripgrep. */
export async function calledSearch(corpus: Corpus, _opened: unknown, goals: Goal[]): Promise<readonly Row[]> {
  if (corpus.name === 'small') return []
  await using beside = temporaryWorkspace()
  await using stack = new AsyncDisposableStack()
  stack.use(await warmResident(corpus.path, beside.env))
  const kit = await openToolkit({ root: corpus.path, env: beside.env })
  stack.defer(() => kit.close())
  const rows: Row[] = []
  for (const asked of QUESTIONS) rows.push(await compare(corpus, kit, asked, goals))
  return rows
}

async function compare(corpus: Corpus, kit: Toolkit, asked: Asked, goals: Goal[]): Promise<Row> {
  const { pattern, regex = false, least } = asked
  const grep = async () => {
    const { outcome } = await kit.run('grep', { pattern, regex, limit: LIMIT })
    if (!outcome.ok) throw new Error(`${asked.what}: ${outcome.error.message}`)
    return outcome.data as { readonly total: number; readonly matches: { path: string; line: number; text: string }[] }
  }
  const what = `${corpus.name}: called, ${asked.what}`
  const { total, matches } = await grep()
  const lines = await ripgrep(corpus.path, asked)
  const different = await differentLines(corpus.path, asked, matches)
  // What is past the limit, or past the largest answer, is not shown.
  if (total !== lines || different !== lines - matches.length)
    goals.push({
      what: `${what}: ripgrep's lines`,
      limit: String(lines),
      measured: `${total}, not the same`,
      met: false,
    })
  for (let done = 0; done < WARM_UP; done++) await grep()
  const samples = await interleave(
    { ours: grep, ripgrep: () => ripgrep(corpus.path, asked) },
    { rounds: ROUNDS, warmUp: 2, repeat: { ours: 5 } },
  )
  const [ours, peer] = [median(samples.ours), median(samples.ripgrep)]
  const ratio = peer / ours
  const late = peer / quantile(samples.ours, 0.95)
  goals.push(
    { what, limit: `≥ ${times(least)}`, measured: times(ratio), met: ratio >= least },
    { what: `${what}, p95`, limit: `≥ ${times(least / 2)}`, measured: times(late), met: late >= least / 2 },
  )
  return {
    what,
    cells: {
      lines: String(lines),
      ours: ours / 1000,
      ripgrep: peer / 1000,
      'to ripgrep': times(ratio),
      best: times(quantile(samples.ripgrep, 0.1) / quantile(samples.ours, 0.1)),
    },
  }
}
