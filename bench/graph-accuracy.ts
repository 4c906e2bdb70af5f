import type { Bench } from './bench.ts'
import { compareCalls } from './compare-calls.ts'
import { unpackedPackage } from './corpora.ts'

const SAMPLE = 200
/** `least` is the part of the calls that both sides have. */
const PACKAGES = [
  { spec: 'viem@2.40.0', sources: '[!_]*/**/*.ts', least: 0.97 },
  { spec: 'rxjs@7.8.2', sources: 'src/**/*.ts', least: 0.97 },
  { spec: 'zod@4.1.12', sources: 'src/**/*.ts', least: 0.97 },
  { spec: 'effect@3.19.0', sources: 'src/**/*.ts', least: 0.9 },
] as const

/** The graph's CALLS edges, beside the call hierarchy of the language server. */
export const graphAccuracy: Bench = {
  about: 'calls in the code graph of real packages, beside the language server: precision and recall',
  async run() {
    const measured = []
    for (const { spec, sources, least } of PACKAGES) {
      const compared = await compareCalls(unpackedPackage(spec), sources, SAMPLE)
      const { expected, listed, common } = compared
      measured.push({ ...compared, spec, least, recall: common / expected, precision: common / listed })
    }
    return {
      rows: measured.map(({ spec, files, functions, expected, listed, possible, confirmed, recall, precision }) => ({
        what: spec,
        cells: {
          files,
          functions,
          'calls of the server': expected,
          'calls of the graph': listed,
          'recall %': 100 * recall,
          'precision %': 100 * precision,
          possible,
          'of them calls': confirmed,
        },
      })),
      notes: [
        `${SAMPLE} functions and methods that are called, drawn in a fixed order; a call is a file and a line`,
        'a place where a name is only mentioned (`list.map(module.f)`, a getter) is left out on both sides, and so is `super.m()` in an override of m, which is no call of that override; possible calls are counted apart',
        ...measured.flatMap(({ spec, missing, extra }) => [
          ...missing.slice(0, 5).map(each => `${spec}: missing ${each}`),
          ...extra.slice(0, 5).map(each => `${spec}: beyond the server ${each}`),
        ]),
      ],
      goals: measured.flatMap(({ spec, least, functions, recall, precision }) => [
        goal(`recall, ${spec}`, recall, least),
        goal(`precision, ${spec}`, precision, least),
        { what: `functions, ${spec}`, limit: `${SAMPLE}`, measured: String(functions), met: functions === SAMPLE },
      ]),
    }
  },
}

const goal = (what: string, part: number, least: number) => ({
  what,
  limit: `≥ ${least}`,
  measured: part.toFixed(3),
  met: part >= least,
})
