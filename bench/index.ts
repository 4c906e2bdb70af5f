import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import type { Measured } from './measure-index.ts'

const SIZES = [1_000, 10_000, 100_000] as const

/** The repository index: how soon it is there, how soon it knows of changes, and what a question costs. */
export const index: Bench = {
  about: 'the repository index: build, cached load, refresh, queries at 1k, 10k and 100k files, memory',
  run() {
    const built = measured('build')
    const queried = SIZES.map(size => measured(String(size)))
    const [, medium, large] = queried
    const worst = large?.p95 ?? Number.NaN
    const growth = worst / (medium?.p95 ?? Number.NaN)
    return Promise.resolve({
      rows: [...built.rows, ...queried.flatMap(({ rows }) => rows)],
      notes: ['CPU is that of all threads; MB is what the process, or for queries the table, has grown by'],
      goals: [
        ...built.goals,
        { what: 'query p95 at 100k files', limit: '< 20 µs', measured: `${worst.toFixed(1)} µs`, met: worst < 20 },
        { what: '100k beside 10k files', limit: '≤ 3x', measured: `${growth.toFixed(2)}x`, met: growth <= 3 },
      ],
    })
  },
}

/** Each in a process of its own: memory that another measurement left would count. */
function measured(what: string): Measured {
  const program = join(import.meta.dirname, 'measure-index.ts')
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', program, what], { encoding: 'utf8' }))
}
