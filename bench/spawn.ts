import { spawn as plainSpawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSandbox } from '../src/machine/process/sandbox/open-sandbox.ts'
import type { Sandbox, StartGuard, Tree } from '../src/machine/process/sandbox/types.ts'
import { times, type Bench, type Goal } from './bench.ts'
import { interleave, median, quantile } from './sample.ts'

const ROUNDS = 60
const FILES = 10_000
const COMMAND = '/usr/bin/true'
/** From a shell, for what the line itself names goes past the stand-in. */
const GIT = ['/bin/sh', '-c', 'git --version; :']
const JUDGED: StartGuard = {
  programs: ['git'],
  programOf: file => (file === 'git' ? file : undefined),
  judge: () => undefined,
}

/** What the sandbox costs a command, beside the same command started plainly. */
export const spawn: Bench = {
  about:
    'a command in the sandbox beside a plain spawn: read-only, with staged writes on 10k files, and with a stand-in in front of git',
  async run() {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-')))
    try {
      const root = join(base, 'workspace')
      makeFiles(root)
      const sandbox = openSandbox({ root, scratch: base })
      const { usable, situation, words, cause } = sandbox.report()
      if (!usable) throw new Error(`There is no sandbox here: ${cause ?? ''}`)
      let layer = 0
      const overlay = (): Tree => {
        const [upper, work] = [join(base, `upper${layer}`), join(base, `work${layer++}`)]
        for (const directory of [upper, work]) mkdirSync(directory)
        return { kind: 'overlay', lower: [root], upper, work }
      }
      const samples = await interleave(
        {
          plain: plainly,
          'sandbox, read-only': () => inside(sandbox, root, { kind: 'read-only' }),
          'sandbox, direct writes': () => inside(sandbox, root, { kind: 'direct' }),
          'sandbox, overlay on 10k files': () => inside(sandbox, root, overlay()),
          'git, read-only': () => inside(sandbox, root, { kind: 'read-only' }, { argv: GIT }),
          'git behind a stand-in, read-only': () =>
            inside(sandbox, root, { kind: 'read-only' }, { argv: GIT, starts: JUDGED }),
        },
        { rounds: ROUNDS, warmUp: 5 },
      )
      const bare = median(samples.plain)
      const goal = (what: 'sandbox, read-only' | 'sandbox, overlay on 10k files', most: number): Goal => {
        const ratio = median(samples[what]) / bare
        return { what, limit: `≤ ${times(most)} a plain spawn`, measured: times(ratio), met: ratio <= most }
      }
      return {
        rows: Object.entries(samples).map(([what, taken]) => ({
          what,
          cells: {
            'median ms': median(taken) / 1000,
            'p10 ms': quantile(taken, 0.1) / 1000,
            'to plain': times(median(taken) / bare),
          },
        })),
        notes: [
          `${COMMAND}, from spawn to the end of its output; ${ROUNDS} each, in turn; ${situation}`,
          'git: `git --version` from a shell, with and without a stand-in that asks before it starts',
          ...words.slice(0, 1),
        ],
        goals: [goal('sandbox, read-only', 5), goal('sandbox, overlay on 10k files', 10)],
      }
    } finally {
      rmSync(base, { recursive: true, force: true })
    }
  },
}

function makeFiles(root: string): void {
  for (let at = 0; at < FILES; at++) {
    if (at % 100 === 0) mkdirSync(join(root, `d${at / 100}`), { recursive: true })
    writeFileSync(join(root, `d${Math.floor(at / 100)}`, `file${at}.txt`), `content ${at}\n`)
  }
}

function plainly(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = plainSpawn(COMMAND, [], { stdio: ['ignore', 'pipe', 'pipe'], env: {} })
    child.stdout.resume()
    child.stderr.resume()
    child.on('error', reject).on('close', () => resolve())
  })
}

async function inside(
  sandbox: Sandbox,
  root: string,
  tree: Tree,
  more: { readonly argv?: readonly string[]; readonly starts?: StartGuard } = {},
): Promise<void> {
  const limits = {
    wallMs: 10_000,
    cpuSeconds: 10,
    memoryBytes: 2 ** 30,
    processes: 64,
    fileBytes: 2 ** 30,
    outputBytes: 2 ** 20,
    tmpBytes: 2 ** 26,
    writtenBytes: 2 ** 31,
  }
  const nothing = { cwd: '.', env: {}, readOnly: [], hidden: [], network: undefined, stdin: 'none' } as const
  const started = sandbox.start({ root, argv: [COMMAND], tree, limits, ...nothing, ...more })
  started.stdout.resume()
  started.stderr.resume()
  const { code } = await started.exit
  if (code !== 0) throw new Error(`${COMMAND} ended with ${code} in the sandbox`)
}
