import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { deniedVersion } from '../../../machine/state/denied-places.ts'
import { cacheGrew } from '../../../machine/upkeep/growth.ts'
import { LOOK_FIELDS, type TakenImage } from '../../tree/tree-image.ts'
import { createContentSum } from '../table/content-sum.ts'
import type { Entry } from '../table/entry.ts'
import type { FileTable } from '../table/file-table.ts'
import type { IndexStatistics } from '../types.ts'
import type { StoredPlace } from './stored-place.ts'
import type { StoredFiles } from './stored-table.ts'
import { writeSections } from '../../../machine/state/sections.ts'

interface SavedParts {
  readonly tree: TakenImage
  readonly table: FileTable
  /** Files of which only the path may be stored. */
  readonly isUnkept: (path: string) => boolean
}

/** Stores a whole index for a later process with one request. The store only saves time, so a failure is ignored. */
export function saveIndex({ file, key, state, denied }: StoredPlace, parts: SavedParts): void {
  const temporary = `${file}.${process.pid}`
  try {
    const sections = sectionsOf(parts)
    if (sections === undefined || deniedVersion(state) !== denied) return
    writeSections(temporary, key(), sections)
    renameSync(temporary, file)
    // A new deny rule is recorded before it removes the store, so one of the two sees the other.
    if (deniedVersion(state) !== denied) rmSync(file, { force: true })
    else
      cacheGrew(
        dirname(file),
        Object.values(sections).reduce((sum, { byteLength }) => sum + byteLength, 0),
      )
  } catch {
    rmSync(temporary, { force: true })
  }
}

/**
 * Returns undefined if the tree and the table differ, or if the facts of other files depend on one that may not be
 * stored.
 */
function sectionsOf({ tree, table, isUnkept }: SavedParts): Readonly<Record<string, Uint8Array>> | undefined {
  const entries = table.all()
  const keptEntries: Entry[] = []
  const unkept: Entry[] = []
  for (const entry of entries) (isUnkept(entry.path) ? unkept : keptEntries).push(entry)
  const isNamed = table.links.named().size > 0
  const isConcerning = ({ path }: Entry): boolean =>
    table.links.followers(path).size > 0 || (isNamed && table.links.settings().has(path))
  if (unkept.some(isConcerning)) return undefined

  const places: string[] = []
  const looks = new Float64Array(tree.files.size * LOOK_FIELDS)
  for (const { path, size, mtimeMs } of [...keptEntries, ...unkept]) {
    const treeFile = tree.files.get(path)
    if (treeFile?.file.size !== size || treeFile.file.mtimeMs !== mtimeMs) return undefined
    looks.set([treeFile.file.ino, size, mtimeMs, treeFile.file.ctimeMs], places.length * LOOK_FIELDS)
    places.push(treeFile.bytes)
  }
  if (places.length !== tree.files.size) return undefined

  const secrets = table.secrets()
  const indexesOf = (isMeant: (entry: Entry) => boolean) =>
    keptEntries.flatMap((entry, at) => (isMeant(entry) ? at : []))
  const sum = createContentSum()
  for (const { path, content } of keptEntries) sum.add(path, content)
  const files: StoredFiles = {
    kept: keptEntries.length,
    exports: keptEntries.map(({ exports }) => exports),
    tags: keptEntries.map(({ facts }) => facts?.tags ?? []),
    secrets: indexesOf(({ path }) => secrets.has(path)),
    concerning: indexesOf(isConcerning),
    unparsed: keptEntries.flatMap(({ unparsed }, at) => (unparsed === undefined ? [] : [[at, unparsed] as const])),
    lost: keptEntries.flatMap(({ facts }, at) => (facts?.lost === undefined ? [] : [[at, facts.lost] as const])),
    sum: sum.value().toString(16),
    statistics: statisticsOf(keptEntries),
  }
  return {
    tree: json({ outside: tree.outside, folders: tree.folders }),
    places: Buffer.from(places.join('\0'), 'latin1'),
    looks: new Uint8Array(looks.buffer),
    files: json(files),
    contents: json(keptEntries.map(({ content }) => content)),
    symbols: json(keptEntries.map(({ facts }) => facts?.symbols ?? '')),
  }
}

function statisticsOf(entries: readonly Entry[]): IndexStatistics {
  const byTag = new Map<string, number>()
  let totalExports = 0
  for (const { exports, facts } of entries) {
    totalExports += exports.length
    for (const tag of facts?.tags ?? []) byTag.set(tag, (byTag.get(tag) ?? 0) + 1)
  }
  const sortedTags = [...byTag].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { totalFiles: entries.length, totalExports, byTag: Object.fromEntries(sortedTags) }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
