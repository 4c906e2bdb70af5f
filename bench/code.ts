import type { Bench, Report } from './bench.ts'
import { measureCallers } from './measure-callers.ts'
import { measureGraph } from './measure-graph.ts'

/** Understanding code: callers from the language server, and the graph at 1k and 10k files. */
export const code: Bench = {
  about: 'callers from cold and warm, graph build, update and 1-, 2-, 3-hop queries at 1k and 10k files',
  async run() {
    const reports: Report[] = [await measureCallers(), await measureGraph(sizes())]
    return {
      rows: reports.flatMap(({ rows }) => rows),
      notes: reports.flatMap(({ notes = [] }) => notes),
      goals: reports.flatMap(({ goals }) => goals),
    }
  },
}

/** Only these, where one wants to wait less: `TOOLWRIGHT_BENCH_SIZES=small`. */
function sizes(): readonly ('small' | 'medium')[] {
  const all = ['small', 'medium'] as const
  const wanted = process.env['TOOLWRIGHT_BENCH_SIZES']?.split(',')
  return wanted ? all.filter(name => wanted.includes(name)) : all
}
