import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { times, type Bench } from './bench.ts'
import { demandSame } from './demand-same.ts'
import { interleave, median, quantile } from './sample.ts'

const MEGABYTES = 10
const ROUNDS = 60

/** Lines out of the middle of a big file, once the file is known. */
export const ranges: Bench = {
  about: `20 lines of a ${MEGABYTES} MB file, beside reading and splitting it`,
  async run() {
    const line = (at: number) => `${String(at).padStart(7)} the quick brown fox jumps over the lazy dog\n`
    const total = Math.ceil((MEGABYTES << 20) / line(0).length)
    await using workspace = temporaryWorkspace({
      'big.txt': Array.from({ length: total }, (_, at) => line(at)).join(''),
    })
    const kit = await workspace.open()
    // A file that changed a moment ago is read anew each time, because its time stamp could still stand for two contents.
    await pause(100)
    let from = 1
    const next = () => (from = ((from + 7919) % (total - 20)) + 1)
    const path = join(workspace.path, 'big.txt')
    // What was read from each line on, compared after the clock has stopped.
    const answers = new Map<number, unknown>()
    const ours = async () => {
      const at = next()
      const { data } = Object(await kit.call('read', { path: 'big.txt', from: at, to: at + 19 }))
      answers.set(at, data?.content)
    }

    const before = process.hrtime.bigint()
    await ours()
    const first = Number(process.hrtime.bigint() - before) / 1000
    const samples = await interleave(
      {
        ours,
        'read and split': () => {
          const at = next()
          return readFileSync(path, 'utf8')
            .split('\n')
            .slice(at - 1, at + 19)
        },
      },
      { rounds: ROUNDS, warmUp: 5, repeat: { ours: 50 } },
    )
    const all = readFileSync(path, 'utf8').split('\n')
    for (const [at, content] of answers)
      demandSame(`lines from ${at}`, content, `${all.slice(at - 1, at + 19).join('\n')}\n`)
    const ratio = median(samples['read and split']) / median(samples.ours)
    return {
      rows: [
        { what: 'the first time: counts and hashes the file', cells: { 'p50 µs': first } },
        ...Object.entries(samples).map(([what, taken]) => ({
          what: what === 'ours' ? 'a range, the whole call' : 'peer: read and split',
          cells: { 'p50 µs': median(taken), 'p95 µs': quantile(taken, 0.95) },
        })),
      ],
      notes: ['the lines of each call were compared with those of reading and splitting'],
      goals: [{ what: 'times faster', limit: '≥ 100x', measured: times(ratio), met: ratio >= 100 }],
    }
  },
}
