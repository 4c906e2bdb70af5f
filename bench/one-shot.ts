import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Freshness } from '../src/knowledge/search/types.ts'
import type { Environment } from '../src/machine/state/directory.ts'
import { times, type Goal, type Row } from './bench.ts'
import { CLI, forgetCompiled } from './built-command.ts'
import { builtResident } from './built-resident.ts'
import { LIMIT } from './called-search.ts'
import type { Corpus } from './corpora.ts'
import { demandSame } from './demand-same.ts'
import { linesOf, ripgrepLines, type GrepAnswer } from './different-lines.ts'
import type { OpenedIndex } from './opened-index.ts'
import { ripgrep, type Question } from './peers.ts'
import { interleave, median } from './sample.ts'
import { statPass } from './stat-pass.ts'

const ROUNDS = { small: 9, medium: 7, large: 5 } as const
const MOST_PRINTED = 64 * 1024 ** 2
/** Read by the call whose time is that of a start: it starts no other program. */
const NOTE = { path: 'note.txt', content: 'a line\n' }

const RARE = { what: 'rare literal', pattern: 'encodeURIComponent' }

const QUESTIONS: readonly (Question & { readonly what: string })[] = [
  RARE,
  { what: 'rare expression', pattern: 'function\\s+\\w+Error', regex: true },
  { what: 'import', pattern: 'import' },
  { what: 'every line', pattern: '.', regex: true },
]

/** What a command can answer by: an index that a process has left, or nothing. */
type Way = 'indexed' | 'not indexed'

type Call = (cwd: string, tool: string, input: object, way?: Way) => Promise<string>

/**
 * One `toolwright call` that finds no process, but what one has stored: it may take as long as ripgrep and its own start
 * together.
 */
export async function oneShot(corpus: Corpus, _opened: OpenedIndex, goals: Goal[]): Promise<readonly Row[]> {
  forgetCompiled()
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-call-')))
  const small = join(scratch, 'small')
  mkdirSync(small)
  writeFileSync(join(small, NOTE.path), NOTE.content)
  const envOf = (way: Way) => ({ ...process.env, TOOLWRIGHT_STATE: join(scratch, way) })
  const call: Call = async (cwd, tool, input, way = 'indexed') => {
    const args = [CLI, 'call', tool, JSON.stringify(input), '--json']
    const how = { cwd, env: envOf(way), maxBuffer: MOST_PRINTED }
    const { stdout } = await promisify(execFile)(process.execPath, args, how)
    return stdout
  }
  const rows: Row[] = []
  try {
    await storeIndex(corpus.path, envOf('indexed'))
    for (const asked of QUESTIONS) rows.push(await compare(corpus, small, asked, call, goals))
    rows.push(await compare(corpus, small, { ...RARE, way: 'not indexed' }, call, goals))
    return [...rows, await statPassRow(corpus, scratch)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Lets a process of the workspace read all and end, as users do. */
async function storeIndex(root: string, env: Environment): Promise<void> {
  const { pid, [Symbol.asyncDispose]: end } = await builtResident(root, env)
  await end()
  while (existsSync(`/proc/${pid}`)) await pause(20)
}

/** Ours shows the first lines and counts the others; ripgrep prints them all. */
async function compare(
  { name, path }: Corpus,
  small: string,
  asked: (typeof QUESTIONS)[number] & { readonly way?: Way },
  call: Call,
  goals: Goal[],
): Promise<Row> {
  const { pattern, regex = false, way = 'indexed' } = asked
  const grep = () => call(path, 'grep', { pattern, regex, limit: LIMIT }, way)
  const what = `${name}: one shot, ${asked.what}${way === 'indexed' ? '' : `, ${way}`}`
  const first = answerOf<GrepAnswer & { readonly freshness: Freshness }>(await grep())
  const lines = await ripgrepLines(what, path, asked, first, LIMIT, goals)
  let [printed, read] = ['', '']
  const samples = await interleave(
    {
      ours: async () => (printed = await grep()),
      start: async () => (read = await call(small, 'read', { path: NOTE.path })),
      ripgrep: () => ripgrep(path, asked),
      compared: () => {
        demandSame(what, linesOf(answerOf<GrepAnswer>(printed)), linesOf(first))
        demandSame('read', answerOf<typeof NOTE>(read).content, NOTE.content)
      },
    },
    { rounds: ROUNDS[name], warmUp: 1 },
  )
  const [ours, start] = [median(samples.ours), median(samples.start)]
  const ratio = ours / (median(samples.ripgrep) + start)
  goals.push({
    what: `${what}: no slower than ripgrep and its own start`,
    limit: '≤ 1.00x',
    measured: times(ratio),
    met: ratio <= 1,
  })
  return {
    what,
    cells: {
      lines: String(lines),
      ours: ours / 1000,
      ripgrep: median(samples.ripgrep) / 1000,
      start: start / 1000,
      note: `${times(ratio)}, by ${first.freshness.source === 'index' ? 'what is stored' : 'a scan'}`,
    },
  }
}

function answerOf<Data>(printed: string): Data {
  const { ok, data } = JSON.parse(printed)
  if (ok !== true) throw new Error(`The command failed: ${printed.slice(0, 500)}`)
  return data
}

/** The least that an answer from what is stored would cost: one look at each file and directory. */
async function statPassRow({ name, path }: Corpus, scratch: string): Promise<Row> {
  const { args } = statPass(path, scratch)
  const node = async (...given: readonly string[]) => {
    await promisify(execFile)(process.execPath, given, { cwd: path })
  }
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
