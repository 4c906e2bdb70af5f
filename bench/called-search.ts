import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { openToolkit, type Toolkit } from '../src/toolkit.ts'
import { times, type Goal, type Row } from './bench.ts'
import type { Corpus } from './corpora.ts'
import { demandSame } from './demand-same.ts'
import { linesOf, ripgrepLines, type GrepAnswer } from './different-lines.ts'
import { ripgrep, type Question } from './peers.ts'
import { interleave, median, quantile } from './sample.ts'
import { warmResident } from './warm-resident.ts'

interface Asked extends Question {
  readonly what: string
  /** The least ratio of ripgrep's time to that of a whole call. */
  readonly least: number
}

/** Of the lines that a call shows. */
export const LIMIT = 1_000
const ROUNDS = 9
/** Calls before the first that counts, as many as make the engine compile what they run, and their longest time. */
const WARM_UP = { calls: 100, ms: 10_000 }

export const CALLED: readonly Asked[] = [
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
  for (const asked of CALLED) rows.push(await compare(corpus, kit, asked, goals))
  return rows
}

async function compare(corpus: Corpus, kit: Toolkit, asked: Asked, goals: Goal[]): Promise<Row> {
  const { least } = asked
  const what = `${corpus.name}: called, ${asked.what}`
  const { lines, ours, peer } = await callBesideRipgrep(corpus.path, kit, asked, what, goals)
  const ratio = median(peer) / median(ours)
  const late = median(peer) / quantile(ours, 0.95)
  goals.push(
    { what, limit: `≥ ${times(least)}`, measured: times(ratio), met: ratio >= least },
    { what: `${what}, p95`, limit: `≥ ${times(least / 2)}`, measured: times(late), met: late >= least / 2 },
  )
  return {
    what,
    cells: {
      lines: String(lines),
      ours: median(ours) / 1000,
      ripgrep: median(peer) / 1000,
      'to ripgrep': times(ratio),
      best: times(quantile(peer, 0.1) / quantile(ours, 0.1)),
    },
  }
}

/** Times one question as a whole call and as ripgrep answers it, in turn. Other lines than ripgrep's are a missed goal. */
export async function callBesideRipgrep(
  path: string,
  kit: Toolkit,
  question: Question,
  what: string,
  goals: Goal[],
): Promise<{ readonly lines: number; readonly ours: Float64Array; readonly peer: Float64Array }> {
  const { pattern, regex = false } = question
  const grep = async () => {
    const { outcome } = await kit.run('grep', { pattern, regex, limit: LIMIT })
    if (!outcome.ok) throw new Error(`${what}: ${outcome.error.message}`)
    return outcome.data as GrepAnswer
  }
  const first = await grep()
  const lines = await ripgrepLines(what, path, question, first, LIMIT, goals)
  let last = first
  const warm = performance.now() + WARM_UP.ms
  for (let done = 0; done < WARM_UP.calls && performance.now() < warm; done++) await grep()
  const { ours, peer } = await interleave(
    {
      ours: async () => (last = await grep()),
      compared: () => demandSame(what, linesOf(last), linesOf(first)),
      peer: () => ripgrep(path, question),
    },
    { rounds: ROUNDS, warmUp: 2, repeat: { ours: 5 } },
  )
  return { lines, ours, peer }
}
