import type { FileCode, OwnSymbol } from '../../symbols/file-code.ts'

/** A file with what it says, and what is looked up in it again and again. */
export interface ProjectFile {
  readonly path: string
  readonly code: FileCode
  /** The symbols that stand in one, by its number; -1 for the file. */
  readonly inside: ReadonlyMap<number, readonly number[]>
}

/** All files that a graph is made of. */
export interface Project {
  readonly files: ReadonlyMap<string, ProjectFile>
}

/** A symbol of some file. */
export interface Found {
  readonly file: ProjectFile
  readonly number: number
}

export function projectOf(codes: Iterable<readonly [path: string, code: FileCode]>): Project {
  const files = new Map<string, ProjectFile>()
  for (const [path, code] of codes) files.set(path, { path, code, inside: insideOf(code.symbols) })
  return { files }
}

function insideOf(symbols: readonly OwnSymbol[]): ReadonlyMap<number, readonly number[]> {
  const inside = new Map<number, number[]>()
  for (const [number, { parent }] of symbols.entries()) {
    const list = inside.get(parent)
    if (list) list.push(number)
    else inside.set(parent, [number])
  }
  return inside
}

export const symbolAt = ({ file, number }: Found): OwnSymbol | undefined => file.code.symbols[number]

/** The symbols of this name that stand in another. */
export const named = (file: ProjectFile, parent: number, name: string): readonly Found[] =>
  (file.inside.get(parent) ?? []).flatMap(number =>
    file.code.symbols[number]?.name === name ? [{ file, number }] : [],
  )
