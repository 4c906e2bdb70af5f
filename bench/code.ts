import type { Bench, Report } from './bench.ts'
import { measureCallers, measureSlowServer } from './measure-callers.ts'
import { measureEffects } from './measure-effects.ts'
import { measureGraph } from './measure-graph.ts'

/** Understanding code: callers from the language server, what an edit breaks, and the graph at 1k and 10k files. */
export const code: Bench = {
  about:
    'callers from cold, provisional and warm, what an edit breaks at 300 and 3,000 files, graph build, update and 1-, 2-, 3-hop queries at 1k and 10k files',
  async run() {
    const reports: Report[] = [
      await measureCallers(),
      await measureSlowServer(),
      await measureEffects(sizes().map(size => FILES[size])),
      await measureGraph(sizes()),
    ]
    return {
      rows: reports.flatMap(({ rows }) => rows),
      notes: reports.flatMap(({ notes = [] }) => notes),
      goals: reports.flatMap(({ goals }) => goals),
    }
  },
}

/** The packages that edits are made in. */
const FILES = { small: 300, medium: 3000 } as const

/** Only these, where one wants to wait less: `TOOLWRIGHT_BENCH_SIZES=small`. */
function sizes(): readonly ('small' | 'medium')[] {
  const all = ['small', 'medium'] as const
  const wanted = process.env['TOOLWRIGHT_BENCH_SIZES']?.split(',')
  return wanted ? all.filter(name => wanted.includes(name)) : all
}
