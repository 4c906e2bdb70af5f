import { readFileSync } from 'node:fs'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import type { Bench, Goal } from './bench.ts'
import { times } from './bench.ts'
import { CLI, forgetCompiled, nodeIn } from './built-command.ts'
import { demandSame } from './demand-same.ts'
import { oneShotIndex } from './one-shot-index.ts'
import { interleave, median, quantile } from './sample.ts'

const ROUNDS = 41
const TEXT = 'one\ntwo\n'

/** How long a person or a script waits for the command to begin. */
export const start: Bench = {
  about: 'a cold start of the command beside bare node, and of one question to the kept index beside a stat pass',
  async run() {
    forgetCompiled()
    await using workspace = temporaryWorkspace({ 'a.txt': TEXT })
    const node = nodeIn(workspace)
    const { version }: { version: string } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    )
    const read = (...args: readonly string[]) => {
      const { ok, data } = JSON.parse(node(CLI, ...args, '--json'))
      demandSame(args.join(' '), [ok, data?.content], [true, TEXT])
    }
    let written = 0
    const write = () => {
      const path = `b${written++}.txt`
      node(CLI, 'call', 'write', JSON.stringify({ path, content: path, expect: 'absent' }), '--json', '--yes')
      demandSame('call write', workspace.read(path), path)
    }
    const samples = await interleave(
      {
        'node -e 0': () => demandSame('node -e 0', node('-e', '0'), ''),
        'toolwright --version': () => demandSame('--version', node(CLI, '--version'), `${version}\n`),
        'toolwright help': () => demandSame('help', node(CLI, 'help').split(':')[0], `toolwright ${version}`),
        'toolwright read': () => read('read', 'a.txt'),
        'toolwright call read': () => read('call', 'read', '{"path":"a.txt"}'),
        'toolwright call write --yes': write,
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
    const goal = (what: keyof typeof samples, most: number): Goal => {
      const ratio = median(samples[what]) / median(bare)
      return { what, limit: `≤ ${times(most)} bare node`, measured: times(ratio), met: ratio <= most }
    }
    const index = await oneShotIndex()
    return {
      rows: [...rows, ...index.rows],
      notes: [
        `${ROUNDS} starts each, in turn; compiled code is what three starts of each, in this order, left in an empty dist/compiled`,
        'what each printed or wrote was compared',
        ...index.notes,
      ],
      goals: [
        goal('toolwright --version', 1.2),
        goal('toolwright read', 2),
        goal('toolwright call read', 1.5),
        ...index.goals,
      ],
    }
  },
}
