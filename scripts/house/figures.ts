import { readModule, type Module } from '../../tests/architecture/module.ts'
import { edgesOf, floors } from '../../tests/architecture/rooms.ts'

/** The size of the sources and the edges between rooms, without tests. */
export interface Figures {
  readonly files: number
  readonly medianLines: number
  readonly p90Lines: number
  readonly longestFile: { readonly file: string; readonly lines: number }
  readonly longestFunction: { readonly file: string; readonly name: string; readonly lines: number }
  readonly floors: readonly FloorFigures[]
}

export interface FloorFigures {
  readonly folder: string
  /** The number of imports between rooms, most first. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly imports: number }[]
}

/** Computes the figures of these sources: path from the repository's root → text. */
export function figuresOf(files: Readonly<Record<string, string>>): Figures {
  const sources = Object.entries(files).filter(([file]) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const modules = sources.map(([file, text]) => readModule(file, text))
  const lines = modules.map(module => module.lines).toSorted((one, other) => one - other)
  const functions = modules.map(module => ({ name: '', lines: 0, ...module.functions[0], file: module.file }))
  return {
    files: modules.length,
    medianLines: percentile(lines, 50),
    p90Lines: percentile(lines, 90),
    longestFile: longest(modules.map(module => ({ file: module.file, lines: module.lines }))),
    longestFunction: longest(functions),
    floors: Object.keys(floors).map(folder => ({ folder, edges: countEdges(modules, folder) })),
  }
}

/** Returns the smallest value that this percentage does not exceed. */
const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0

function longest<T extends { readonly lines: number }>(all: readonly T[]): T {
  const [first] = all.toSorted((one, other) => other.lines - one.lines)
  if (!first) throw new Error('There are no sources')
  return first
}

function countEdges(modules: readonly Module[], folder: string): FloorFigures['edges'] {
  const pairs = Map.groupBy(edgesOf(modules, folder), ({ from, to }) => `${from} ${to}`)
  return [...pairs.values()]
    .flatMap(edges => edges.slice(0, 1).map(({ from, to }) => ({ from, to, imports: edges.length })))
    .toSorted((one, other) => other.imports - one.imports)
}
