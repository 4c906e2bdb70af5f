import type { Bench } from './bench.ts'
import { compareCalls } from './compare-calls.ts'
import { unpackedPackage } from './corpora.ts'

const SAMPLE = 200
const LEAST = 0.95
/** The goal is that of the first; the others show what is hard. */
const PACKAGES = [
  {
    spec: 'viem@2.40.0',
    sources: '[!_]*/**/*.ts',
    isGoal: true,
  },
  { spec: 'rxjs@7.8.2', sources: 'src/**/*.ts', isGoal: false },
  { spec: 'effect@3.19.0', sources: 'src/**/*.ts', isGoal: false },
] as const

/** The graph's CALLS edges, beside the call hierarchy of the language server. */
export const graphAccuracy: Bench = {
  about: 'calls in the code graph of real packages, beside the language server: precision and recall',
  async run() {
    const measured = []
    for (const { spec, sources, isGoal } of PACKAGES) {
      const compared = await compareCalls(unpackedPackage(spec), sources, SAMPLE)
      const { expected, listed, common } = compared
      measured.push({ ...compared, spec, isGoal, recall: common / expected, precision: common / listed })
    }
    return {
      rows: measured.map(({ spec, files, functions, expected, mentioned, listed, common, recall, precision }) => ({
        what: spec,
        cells: {
          files,
          functions,
          'calls of the server': expected,
          'calls of the graph': listed,
          'recall %': 100 * recall,
          'without mentions %': (100 * common) / (expected - mentioned),
          'precision %': 100 * precision,
        },
      })),
      notes: [
        `${SAMPLE} functions and methods that are called, drawn in a fixed order; a call is a file and a line`,
        'the server counts a name behind a dot as a call where it is only mentioned; the graph calls that USES',
        ...measured.flatMap(({ spec, missing, extra }) => [
          ...missing.slice(0, 5).map(each => `${spec}: missing ${each}`),
          ...extra.slice(0, 5).map(each => `${spec}: beyond the server ${each}`),
        ]),
      ],
      goals: measured
        .filter(({ isGoal }) => isGoal)
        .flatMap(({ spec, files, functions, recall, precision }) => [
          goal(`recall, ${spec}`, recall),
          goal(`precision, ${spec}`, precision),
          { what: `source files of ${spec}`, limit: '≥ 300', measured: String(files), met: files >= 300 },
          { what: 'functions', limit: `${SAMPLE}`, measured: String(functions), met: functions === SAMPLE },
        ]),
    }
  },
}

const goal = (what: string, part: number) => ({
  what,
  limit: `≥ ${LEAST}`,
  measured: part.toFixed(3),
  met: part >= LEAST,
})
