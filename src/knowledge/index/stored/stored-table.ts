import { isAscii } from 'node:buffer'
import { decodePath } from '../../tree/disk-path.ts'
import { LOOK_FIELDS, type TreeImage } from '../../tree/tree-image.ts'
import { createContentSum } from '../table/content-sum.ts'
import { mayBeLost } from '../table/may-be-lost.ts'
import { MOST_UNPARSED } from '../table/most-unparsed.ts'
import type { Visibility } from '../table/answer.ts'
import { symbolNames } from '../table/packed-symbols.ts'
import type { IndexedFile, IndexQuery, IndexStatistics, UnparsedFile } from '../types.ts'
import type { Sections } from '../../../machine/state/sections.ts'

/** Stored facts of an index's files, apart from their paths. Columns load in a fraction of the time of objects. */
export interface StoredFiles {
  /** Number of stored paths, in path order. Nothing else may be stored of the paths after them. */
  readonly kept: number
  readonly exports: readonly (readonly string[])[]
  readonly tags: readonly (readonly string[])[]
  readonly secrets: readonly number[]
  /** Files whose absence would change the exports of others. */
  readonly concerning: readonly number[]
  readonly unparsed: readonly (readonly [at: number, why: string])[]
  /** Names that may be declared where a file does not parse. */
  readonly lost: readonly (readonly [at: number, names: string])[]
  readonly sum: string
  readonly statistics: IndexStatistics
}

/** A stored index, without the files that one caller may not see. */
export interface StoredTable {
  readonly tree: TreeImage
  paths(): readonly string[]
  /** Returns undefined if a caller's view differs by more than hidden files: only an open index can handle that. */
  hiddenFrom(sight: Visibility | undefined): ReadonlySet<string> | undefined
  find(query: IndexQuery, hidden: ReadonlySet<string>): readonly number[]
  file(at: number): IndexedFile
  symbols(at: number): string
  unparsed(hidden: ReadonlySet<string>): readonly UnparsedFile[]
  damaged(query: string, hidden: ReadonlySet<string>): readonly string[]
  hash(hidden: ReadonlySet<string>): string
  statistics(hidden: ReadonlySet<string>): IndexStatistics
}

/** Returns undefined if any part is damaged. */
export function readStored(sections: Sections): StoredTable | undefined {
  const [tree, places, numbers, files] = ['tree', 'places', 'looks', 'files'].map(name => sections.read(name))
  if (!tree || !places || !numbers || !files) return undefined
  const bytes = places.length === 0 ? [] : places.toString('latin1').split('\0')
  const paths = isAscii(places) ? bytes : bytes.map(decodePath)
  const looks = new Float64Array(
    numbers.buffer,
    numbers.byteOffset,
    numbers.byteLength / Float64Array.BYTES_PER_ELEMENT,
  )
  return tableOf({ ...parseJson(tree), files: bytes, looks }, paths, parseJson(files), name => {
    const section = sections.read(name)
    if (!section) throw new RangeError(`The ${name} of the stored index are damaged`)
    return parseJson(section)
  })
}

function tableOf(
  tree: TreeImage,
  paths: readonly string[],
  files: StoredFiles,
  column: (name: string) => readonly string[],
): StoredTable {
  const { exports, tags, kept } = files
  const pathAt = (at: number): string => paths[at] ?? ''
  let symbolColumn: readonly string[] | undefined
  const symbols = (at: number): string => (symbolColumn ??= column('symbols'))[at] ?? ''

  return {
    tree,
    paths: () => paths,
    hiddenFrom(sight) {
      if (sight?.staged) return undefined
      const hiddenPaths = new Set(sight?.leaveOut)
      if (sight?.secrets) for (const at of files.secrets) hiddenPaths.add(pathAt(at))
      if (files.concerning.some(at => hiddenPaths.has(pathAt(at)))) return undefined
      return paths.slice(kept).every(path => hiddenPaths.has(path)) ? hiddenPaths : undefined
    },
    find(query, hidden) {
      const fileNumbers: number[] = []
      for (let at = 0; at < kept; at++) if (matches(at, query) && !hidden.has(pathAt(at))) fileNumbers.push(at)
      return fileNumbers
    },
    file: at => ({
      path: pathAt(at),
      exports: exports[at] ?? [],
      tags: tags[at] ?? [],
      size: tree.looks[at * LOOK_FIELDS + 1] ?? 0,
      mtimeMs: tree.looks[at * LOOK_FIELDS + 2] ?? 0,
    }),
    symbols,
    unparsed: hidden =>
      files.unparsed
        .map(([at, why]) => ({ path: pathAt(at), why }))
        .filter(({ path }) => !hidden.has(path))
        .slice(0, MOST_UNPARSED),
    damaged(query, hidden) {
      const mayName = mayBeLost(query)
      return files.lost.flatMap(([at, names]) => (mayName(names) ? pathAt(at) : [])).filter(path => !hidden.has(path))
    },
    hash(hidden) {
      const sum = createContentSum(BigInt(`0x${files.sum}`))
      const hiddenNumbers = hiddenOf(hidden)
      const contents = hiddenNumbers.length > 0 ? column('contents') : []
      for (const at of hiddenNumbers) sum.remove(pathAt(at), contents[at] ?? '')
      return sum.text()
    },
    statistics(hidden) {
      const hiddenNumbers = hiddenOf(hidden)
      const byTag = { ...files.statistics.byTag }
      let { totalFiles, totalExports } = files.statistics
      for (const at of hiddenNumbers) {
        totalFiles--
        totalExports -= exports[at]?.length ?? 0
        for (const tag of tags[at] ?? []) byTag[tag] = (byTag[tag] ?? 0) - 1
      }
      return {
        totalFiles,
        totalExports,
        byTag: Object.fromEntries(Object.entries(byTag).filter(([, many]) => many > 0)),
      }
    },
  }

  function hiddenOf(hidden: ReadonlySet<string>): readonly number[] {
    if (hidden.size === 0) return []
    return paths.slice(0, kept).flatMap((path, at) => (hidden.has(path) ? at : []))
  }

  function matches(at: number, { by, ...asked }: IndexQuery): boolean {
    const value = 'value' in asked ? asked.value : ''
    if (by === 'all') return true
    if (by === 'prefix') return pathAt(at).startsWith(value)
    if (by === 'export') return exports[at]?.includes(value) ?? false
    if (by === 'tag') return tags[at]?.includes(value) ?? false
    return symbols(at).includes(value) && symbolNames(symbols(at)).has(value)
  }
}

const parseJson = (bytes: Buffer) => JSON.parse(bytes.toString('utf8'))
