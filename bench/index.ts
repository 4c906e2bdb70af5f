import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Goal } from './bench.ts'
import type { Measured } from './measure-index.ts'

const SIZES = [1_000, 10_000, 100_000] as const

/** The repository index: how soon it is there, how soon it knows of changes, and what a question costs. */
export const index: Bench = {
  about: 'the repository index: build, cached load, refresh, queries at 1k, 10k and 100k files, memory',
  run() {
    const compiled = mkdtempSync(join(tmpdir(), 'toolwright-bench-compiled-'))
    try {
      // What users run is built; here it is compiled once before it counts.
      measured('warm', compiled)
      const built = measured('build', compiled)
      const lookedUp = SIZES.map(size => measured(String(size), compiled))
      const called = SIZES.map(size => measured(String(size), compiled, 'measure-query-index.ts'))
      const queried = [...lookedUp, ...called]
      return Promise.resolve({
        rows: [...built.rows, ...queried.flatMap(({ rows }) => rows)],
        notes: [
          'CPU is that of all threads; MB is what the process, or for queries the table, has grown by',
          'sources are compiled before, as those that users run are',
          'whole call: of a session over real files, from the input to the answer, with policy, journal and metrics',
          'look-up: what a table of files that are not there takes by itself',
        ],
        goals: [
          ...built.goals,
          ...queried.flatMap(({ goals }) => goals),
          growthGoal('look-up', lookedUp),
          growthGoal('queryIndex', called),
        ],
      })
    } finally {
      rmSync(compiled, { recursive: true, force: true })
    }
  },
}

function growthGoal(what: string, [, medium, large]: readonly Measured[]): Goal {
  const growth = (large?.p95 ?? Number.NaN) / (medium?.p95 ?? Number.NaN)
  return {
    what: `${what}: p95 at 100k files beside 10k`,
    limit: '≤ 3x',
    measured: `${growth.toFixed(2)}x`,
    met: growth <= 3,
  }
}

/** Each in a process of its own: memory that another measurement left would count. */
function measured(what: string, compiled: string, file = 'measure-index.ts'): Measured {
  console.error(`index: ${file} ${what}`)
  const program = join(import.meta.dirname, file)
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled }
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', program, what], { encoding: 'utf8', env }))
}
