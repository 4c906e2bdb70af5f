import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openToolkit, type Toolkit } from '../src/toolkit.ts'
import { atMost } from './bench.ts'
import { demandSame } from './demand-same.ts'
import type { Measured } from './measure-index.ts'
import { quantile } from './sample.ts'

const ROUNDS = 5
const CALLS = 100
const FOLDERS = 100
const LIMIT_MS = 10
const PATIENCE_MS = 600_000

type Ask = (at: number) => Readonly<{ type: string; value?: string }>

/** The four kinds of question that the document of superconnect has. */
const KINDS: Readonly<Record<string, Ask>> = {
  exports: at => ({ type: 'exports', value: `Name${at}` }),
  tag: at => ({ type: 'tag', value: at % 2 === 0 ? 'react-component' : 'typescript' }),
  pathPrefix: at => ({ type: 'pathPrefix', value: `packages/p${at % FOLDERS}/` }),
  listAll: () => ({ type: 'listAll' }),
}

console.log(JSON.stringify(await measure(Number(process.argv[2]))))

/** queryIndex as a caller has it: whole calls of one session over real files, by the clock. */
async function measure(size: number): Promise<Measured> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-query-')))
  try {
    const root = join(base, 'workspace')
    writeFiles(root, size)
    const kit = await openToolkit({
      root,
      env: { ...process.env, TOOLWRIGHT_STATE: join(base, 'state'), TOOLWRIGHT_CONFIG_HOME: join(base, 'config') },
      contract: 'superconnect',
      task: 'bench',
      resident: 'off',
    })
    try {
      await untilCurrent(kit, size)
      return await callTimes(kit, size)
    } finally {
      await kit.close()
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function writeFiles(root: string, size: number): void {
  for (let folder = 0; folder < FOLDERS; folder++)
    mkdirSync(join(root, 'packages', `p${folder}`, 'src'), { recursive: true })
  for (let at = 0; at < size; at++)
    writeFileSync(
      join(root, 'packages', `p${at % FOLDERS}`, 'src', `file${at}.tsx`),
      at % 3 === 0 ? `export const Name${at} = () => <b>${at}</b>\n` : `export const Name${at} = ${at}\n`,
    )
}

async function untilCurrent(kit: Toolkit, size: number): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    const { total_matches: total, truncated } = await ask(kit, { type: 'exports', value: `Name${size - 1}` })
    if (total === 1 && truncated === false) return
  }
  throw new Error(`The index of ${size} files did not catch up`)
}

async function ask(kit: Toolkit, query: object): Promise<Readonly<Record<string, unknown>>> {
  return Object(await kit.call('queryIndex', { query }))
}

/** How many of the written files a question finds. */
function expected({ type, value }: ReturnType<Ask>, size: number): number {
  if (type === 'exports') return 1
  if (type === 'pathPrefix') return size / FOLDERS
  return value === 'react-component' ? Math.ceil(size / 3) : size
}

/** Of several rounds the best counts: other programs take the processor for a while. */
async function callTimes(kit: Toolkit, size: number): Promise<Measured> {
  const what = `queryIndex at ${size.toLocaleString('en')} files`
  const times: number[] = []
  const best: Record<string, number> = {}
  for (let round = -1; round < ROUNDS; round++)
    for (const [kind, question] of Object.entries(KINDS)) {
      const took = new Float64Array(CALLS)
      for (let at = 0; at < CALLS; at++) {
        const start = performance.now()
        const asked = question(((round + 1) * CALLS + at * 7919) % size)
        const { total_matches: total, files } = await ask(kit, asked)
        took[at] = performance.now() - start
        demandSame(`the number of files by ${kind} ${asked.value}`, total, expected(asked, size))
        if (!Array.isArray(files) || files.length === 0) throw new Error(`No answer to ${kind}`)
      }
      if (round < 0) continue
      times.push(...took)
      best[kind] = Math.min(best[kind] ?? Infinity, quantile(took, 0.95))
    }
  const all = Float64Array.from(times)
  return {
    p95: Math.max(...Object.values(best)),
    rows: [{ what: `${what}, whole call`, cells: { ms: quantile(all, 0.5), 'p95 ms': quantile(all, 0.95) } }],
    goals: Object.entries(best).map(([kind, p95]) =>
      atMost(`${what}: p95 of a whole call by ${kind}, best of ${ROUNDS} rounds`, p95, LIMIT_MS, 'ms'),
    ),
  }
}
