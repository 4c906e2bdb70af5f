import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import type { Bench, Goal } from './bench.ts'
import { times } from './bench.ts'
import { oneShotIndex } from './one-shot-index.ts'
import { interleave, median, quantile } from './sample.ts'

const ROUNDS = 41
const CLI = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url))

/** How long a person or a script waits for the command to begin. */
export const start: Bench = {
  about: 'a cold start of the command beside bare node, and of one question to the kept index beside a stat pass',
  async run() {
    if (!existsSync(CLI)) throw new Error('There is no dist/: run npm run build first')
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\ntwo\n' })
    const node = (...args: readonly string[]) => {
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: workspace.path,
        env: workspace.env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${String(stderr)}`)
    }
    let written = 0
    const samples = await interleave(
      {
        'node -e 0': () => node('-e', '0'),
        'toolwright --version': () => node(CLI, '--version'),
        'toolwright help': () => node(CLI, 'help'),
        'toolwright read': () => node(CLI, 'read', 'a.txt', '--json'),
        'toolwright call read': () => node(CLI, 'call', 'read', '{"path":"a.txt"}', '--json'),
        'toolwright call write --yes': () =>
          node(CLI, 'call', 'write', `{"path":"b${written++}.txt","content":"x","expect":"absent"}`, '--json', '--yes'),
      },
      { rounds: ROUNDS, warmUp: 3 },
    )
    const bare = samples['node -e 0']
    const rows = Object.entries(samples).map(([what, taken]) => ({
      what,
      cells: {
        'median ms': median(taken) / 1000,
        'p10 ms': quantile(taken, 0.1) / 1000,
        'to bare node': times(median(taken) / median(bare)),
      },
    }))
    const goal = (what: 'toolwright --version' | 'toolwright call read', most: number): Goal => {
      const ratio = median(samples[what]) / median(bare)
      return { what, limit: `≤ ${times(most)} bare node`, measured: times(ratio), met: ratio <= most }
    }
    const index = await oneShotIndex()
    return {
      rows: [...rows, ...index.rows],
      notes: [`${ROUNDS} starts each, in turn`, ...index.notes],
      goals: [goal('toolwright --version', 1.5), goal('toolwright call read', 1.5), ...index.goals],
    }
  },
}
