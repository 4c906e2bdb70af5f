import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryWorkspace, type TemporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { times, type Report } from './bench.ts'
import { CLI, forgetCompiled, nodeIn } from './built-command.ts'
import { demandSame } from './demand-same.ts'
import { interleave, median, quantile } from './sample.ts'
import { statPass } from './stat-pass.ts'

const ROUNDS = 21
const FILES = 2_200
const FOLDERS = 100
/** Of the stat pass, beside the start of bare node. */
const MOST = 1.5

const QUESTIONS = [
  { type: 'exports', value: 'Name7' },
  { type: 'tag', value: 'react-component' },
  { type: 'pathPrefix', value: 'packages/p7/' },
  { type: 'listAll' },
] as const

const READ = '{"path":"packages/p7/src/file7.tsx"}'

/** One `toolwright call queryIndex` that finds no process: it answers by what is kept, after one look at each file of its answer; at all others after it. */
export async function oneShotIndex(): Promise<Required<Report>> {
  forgetCompiled()
  await using workspace = temporaryWorkspace()
  writeFiles(workspace)
  const node = nodeIn(workspace)
  const ask = (query: object): unknown =>
    JSON.parse(node(CLI, 'call', 'queryIndex', JSON.stringify({ query }), '--contract', 'superconnect', '--json'))

  // The first makes the index, and a file for what it tells of itself; the second keeps it.
  for (let at = 0; at < 3; at++) ask({ type: 'listAll' })
  await demandIndexed(workspace, ask)
  const asked = ask(QUESTIONS[0])
  const read = () => {
    const { content } = JSON.parse(node(CLI, 'call', 'readFile', READ, '--contract', 'superconnect', '--json'))
    demandSame('readFile', content, textOf(7))
  }
  const pass = statPass(workspace.path, workspace.base)
  const samples = await interleave(
    {
      'node -e 0': () => void node('-e', '0'),
      'stat pass': () => void node(...pass.args),
      'one-shot readFile': read,
      'one-shot queryIndex': () => demandSame('queryIndex', ask(QUESTIONS[0]), asked),
    },
    { rounds: ROUNDS, warmUp: 3 },
  )
  // A quick answer that does not know of a change is a wrong one.
  workspace.write('packages/p7/src/file7.tsx', 'export const Name7 = 1, Other = 2\n')
  await demandIndexed(workspace, ask)

  const bare = median(samples['node -e 0'])
  const stats = median(samples['stat pass']) - bare
  const ratio = median(samples['one-shot queryIndex']) / (bare + MOST * stats)
  return {
    rows: Object.entries(samples).map(([what, taken]) => ({
      what: `${what}, ${FILES} files`,
      cells: {
        'median ms': median(taken) / 1000,
        'p10 ms': quantile(taken, 0.1) / 1000,
        'to bare node': times(median(taken) / bare),
      },
    })),
    notes: [
      `stat pass: node looks once at ${pass.paths} files and directories (${(stats / 1000).toFixed(1)} ms without its start)`,
      'one-shot readFile: a call that asks no index, which is what the command itself takes',
      'each answer of queryIndex was held against that of an index made for it alone, before and after a change',
    ],
    goals: [
      {
        what: `one-shot queryIndex beside the start of bare node and ${MOST} stat passes`,
        limit: '≤ 1.00x',
        measured: times(ratio),
        met: ratio <= 1,
      },
    ],
  }
}

function writeFiles({ path, write }: TemporaryWorkspace): void {
  mkdirSync(join(path, '.git'))
  write('.gitignore', 'superconnect/\n')
  for (let at = 0; at < FILES; at++) write(`packages/p${at % FOLDERS}/src/file${at}.tsx`, textOf(at))
}

const textOf = (at: number): string =>
  at % 3 === 0 ? `export const Name${at} = () => <b>${at}</b>\n` : `export const Name${at} = ${at}\n`

/** Holds what a command answers against an index of this process, which keeps nothing. */
async function demandIndexed(workspace: TemporaryWorkspace, ask: (query: object) => unknown): Promise<void> {
  const state = join(workspace.base, `oracle-${Date.now()}`)
  const { openToolkit } = await import('../src/toolkit.ts')
  const env = { ...workspace.env, TOOLWRIGHT_STATE: state }
  const kit = await openToolkit({ root: workspace.path, env, contract: 'superconnect', resident: 'off' })
  try {
    for (const query of QUESTIONS) {
      const [expected, answer] = [await kit.call('queryIndex', { query }), ask(query)]
      demandSame(`queryIndex ${JSON.stringify(query)}`, answer, JSON.parse(JSON.stringify(expected)))
    }
  } finally {
    await kit.close()
  }
}
