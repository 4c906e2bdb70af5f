import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { times, type Bench } from './bench.ts'
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
    const input = () => ({ path: 'big.txt', from: next(), to: from + 19 })
    const path = join(workspace.path, 'big.txt')

    const before = process.hrtime.bigint()
    await kit.call('read', input())
    const first = Number(process.hrtime.bigint() - before) / 1000
    const samples = await interleave(
      {
        ours: () => kit.call('read', input()),
        'read and split': () => {
          const at = next()
          return readFileSync(path, 'utf8')
            .split('\n')
            .slice(at - 1, at + 19)
        },
      },
      { rounds: ROUNDS, warmUp: 5, repeat: { ours: 50 } },
    )
    const ratio = median(samples['read and split']) / median(samples.ours)
    return {
      rows: [
        { what: 'the first time: counts and hashes the file', cells: { 'p50 µs': first } },
        ...Object.entries(samples).map(([what, taken]) => ({
          what: what === 'ours' ? 'a range, the whole call' : 'peer: read and split',
          cells: { 'p50 µs': median(taken), 'p95 µs': quantile(taken, 0.95) },
        })),
      ],
      goals: [{ what: 'times faster', limit: '≥ 100x', measured: times(ratio), met: ratio >= 100 }],
    }
  },
}
