import type { IndexedFile, IndexQuery, IndexStatistics, UnparsedFile } from '../types.ts'
import { modulePlaces, type ModulePlaces } from '../../../languages/javascript/modules/module-places.ts'
import { settingsIn } from '../../../languages/javascript/modules/settings-source.ts'
import type { Entry, FoundFile } from './entry.ts'
import type { FileTable } from './file-table.ts'
import { followedExports, leadsTo, type Led } from './followed-exports.ts'
import { symbolNames } from './packed-symbols.ts'
import { mayBeLost } from './may-be-lost.ts'
import { MOST_UNPARSED } from './most-unparsed.ts'
import { insertByPath } from './postings.ts'

/** How one caller's view differs from the disk. */
export interface Visibility {
  /** Paths that the caller may not read. */
  readonly leaveOut?: ReadonlySet<string>
  /** Also leaves out every file with secrets. */
  readonly secrets?: true
  /** Staged files, and paths that staged changes remove. */
  readonly staged?: { readonly files: readonly FoundFile[]; readonly gone: readonly string[] }
}

interface Page {
  readonly files: readonly IndexedFile[]
  readonly total: number
}

/** Resolves all paths that a view leaves out. */
export function spelledOut(table: FileTable, sight: Visibility | undefined): Visibility | undefined {
  if (!sight?.secrets) return sight
  const { secrets: _, leaveOut, staged } = sight
  const all = table.secrets().size > 0 ? new Set([...(leaveOut ?? []), ...table.secrets()]) : leaveOut
  return all || staged ? { ...(all && { leaveOut: all }), ...(staged && { staged }) } : undefined
}

/** Returns one page of a query's result. */
export function page(
  table: FileTable,
  query: IndexQuery,
  {
    limit,
    skip = 0,
    sight,
  }: { readonly limit: number; readonly skip?: number; readonly sight?: Visibility | undefined },
): Page {
  const { list, from, to } = table.find(query)
  const { hidden, extra } = differing(table, sight)
  if (hidden.size === 0 && extra.length === 0)
    return { files: list.slice(from + skip, Math.min(to, from + skip + limit)).map(toIndexedFile), total: to - from }
  let total = to - from
  for (const path of hidden) {
    const entry = table.get(path)
    if (entry && matches(entry, query)) total--
  }
  const more = extra.filter(entry => matches(entry, query))
  return { files: mergeFiles(), total: total + more.length }

  function mergeFiles(): IndexedFile[] {
    const files: IndexedFile[] = []
    let skipCount = 0
    let next = 0
    const take = (entry: Entry) => void (skipCount++ >= skip && files.push(toIndexedFile(entry)))
    for (let at = from; at < to && files.length < limit; at++) {
      const entry = list[at]
      if (!entry || hidden.has(entry.path)) continue
      for (; next < more.length && files.length < limit; next++) {
        const stagedEntry = more[next]
        if (!stagedEntry || stagedEntry.path > entry.path) break
        take(stagedEntry)
      }
      if (files.length < limit) take(entry)
    }
    for (; next < more.length && files.length < limit; next++) {
      const stagedEntry = more[next]
      if (stagedEntry) take(stagedEntry)
    }
    return files
  }
}

/** Returns one file as a caller sees it. */
export function visibleEntry(table: FileTable, path: string, sight: Visibility | undefined): Entry | undefined {
  const { hidden, extra } = differing(table, sight)
  return extra.find(entry => entry.path === path) ?? (hidden.has(path) ? undefined : table.get(path))
}

/** Returns the known sources of a file's exports for a caller that may not read some files. */
export function visibleLeads(table: FileTable, path: string, leaveOut: ReadonlySet<string> = NONE.hidden): Led {
  const get = (each: string) => (leaveOut.has(each) ? undefined : table.peek(each))
  return leadsTo(path, { get, places: placesSeen(table, leaveOut, new Map()) })
}

/** Returns visible files that could not be parsed, up to a limit. */
export function unparsedFiles(table: FileTable, sight: Visibility | undefined): readonly UnparsedFile[] {
  const { leaveOut, staged } = sight ?? {}
  const over = new Set([...(staged?.gone ?? []), ...(staged?.files ?? []).map(({ path }) => path)])
  const files: UnparsedFile[] = []
  const take = (file: FoundFile | undefined) =>
    file?.unparsed !== undefined && files.push({ path: file.path, why: file.unparsed })
  for (const file of staged?.files ?? []) take(file)
  for (const path of table.unparsed()) {
    if (files.length >= MOST_UNPARSED) break
    if (!leaveOut?.has(path) && !over.has(path)) take(table.peek(path))
  }
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Returns visible files in which a declaration of a name that contains this may be lost. */
export function damagedFiles(table: FileTable, query: string, sight: Visibility | undefined): readonly string[] {
  const { hidden, extra } = differing(table, sight)
  const mayName = mayBeLost(query)
  const visiblePaths = [...table.damaged()].filter(path => !hidden.has(path) && mayName(table.peek(path)?.facts?.lost))
  const stagedPaths = extra.filter(({ facts }) => mayName(facts?.lost)).map(({ path }) => path)
  return [...new Set([...visiblePaths, ...stagedPaths])].toSorted()
}

/** Counts what a caller sees. */
export function visibleStatistics(table: FileTable, sight: Visibility | undefined): IndexStatistics {
  const counts = table.statistics()
  const { hidden, extra } = differing(table, sight)
  if (hidden.size === 0 && extra.length === 0) return counts
  let { totalFiles, totalExports } = counts
  const byTag = { ...counts.byTag }
  const count = ({ exports, facts }: Entry, by: 1 | -1) => {
    totalFiles += by
    totalExports += by * exports.length
    for (const tag of facts?.tags ?? []) byTag[tag] = (byTag[tag] ?? 0) + by
  }
  for (const path of hidden) {
    const entry = table.get(path)
    if (entry) count(entry, -1)
  }
  for (const entry of extra) count(entry, 1)
  const remainingTags = Object.entries(byTag).filter(([, files]) => files > 0)
  return { totalFiles, totalExports, byTag: Object.fromEntries(remainingTags.toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

interface Differing {
  /** Paths of the table that this caller sees differently. */
  readonly hidden: ReadonlySet<string>
  /** In path order. */
  readonly extra: readonly Entry[]
}

const NONE: Differing = { hidden: new Set(), extra: [] }

/** Returns how a caller's view of the table's files differs. */
export function differing(table: FileTable, sight: Visibility | undefined): Differing {
  if (!sight) return NONE
  const { leaveOut = NONE.hidden, staged } = sight
  const over = new Map<string, FoundFile | undefined>(staged?.gone.map(path => [path, undefined]))
  for (const file of staged?.files ?? []) over.set(file.path, file)
  const others = new Set([...leaveOut, ...over.keys()])
  const places = placesSeen(table, others, over)
  const affectedPaths = new Set(over.keys())
  // Other files must not re-export names from a hidden file.
  for (const path of others) for (const each of table.links.followers(path)) affectedPaths.add(each)
  if (places !== table.links.places)
    for (const path of table.links.named())
      for (const each of [path, ...table.links.followers(path)]) affectedPaths.add(each)
  if (affectedPaths.size === 0) return { hidden: leaveOut, extra: [] }
  const get = (path: string) => (leaveOut.has(path) ? undefined : over.has(path) ? over.get(path) : table.get(path))
  const extra: Entry[] = []
  const exportsOf = followedExports({ get, places })
  for (const path of affectedPaths) {
    const file = get(path)
    if (file) insertByPath(extra, { ...file, exports: exportsOf(file) })
  }
  return { hidden: new Set([...leaveOut, ...affectedPaths]), extra }
}

/** Resolves module names with the settings this caller sees, if they differ. */
function placesSeen(
  table: FileTable,
  others: ReadonlySet<string>,
  over: ReadonlyMap<string, FoundFile | undefined>,
): ModulePlaces {
  const { links } = table
  const isOther = [...others].some(path => links.settings().has(path) || over.get(path)?.settings)
  if (!isOther) return links.places
  const settings = new Map([...links.settings()].filter(([path]) => !others.has(path)))
  for (const [path, file] of over) if (file?.settings) settings.set(path, file.settings)
  return modulePlaces(settingsIn(settings))
}

function matches({ path, exports, facts }: Entry, query: IndexQuery): boolean {
  if (query.by === 'all') return true
  if (query.by === 'prefix') return path.startsWith(query.value)
  if (query.by === 'export') return exports.includes(query.value)
  if (query.by === 'tag') return facts?.tags.includes(query.value) ?? false
  return facts !== undefined && symbolNames(facts.symbols).has(query.value)
}

const toIndexedFile = ({ path, exports, facts, size, mtimeMs }: Entry): IndexedFile => ({
  path,
  exports,
  tags: facts?.tags ?? [],
  size,
  mtimeMs,
})
