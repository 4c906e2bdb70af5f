import { isSecretFile } from '../../../kernel/secret-files.ts'
import type { IndexQuery, IndexStatistics } from '../types.ts'
import { createContentSum, type ContentSum } from './content-sum.ts'
import type { Entry, FoundFile } from './entry.ts'
import { followedExports, ownExports } from './followed-exports.ts'
import { createNameList } from './name-list.ts'
import { namesAround, symbolNames } from './packed-symbols.ts'
import { createPostings, placeOf } from './postings.ts'
import { createStarLinks, type StarLinks } from './star-links.ts'

/** All files with what is known of them, kept so that a question costs what its answer costs. */
export interface FileTable {
  /** Goes up with every change. */
  version(): number
  put(file: FoundFile): void
  /** A file that has changed, while it is not known how: what was known of it stays. */
  touch(file: Omit<FoundFile, 'facts' | 'settings'>): void
  remove(path: string): void
  /** Follows `export *` for so long, so that whoever asks next need not wait for it; false if more is left. */
  followFor(ms: number): boolean
  get(path: string): Entry | undefined
  has(path: string): boolean
  /** One file without what it passes on. */
  peek(path: string): FoundFile | undefined
  all(): readonly Entry[]
  /** The files that a query asks for, in the order of paths, as a part of a list that must not be kept. */
  find(query: IndexQuery): Range
  /** Those that name a symbol, or what it stands in, with this part in lower case, in the order of paths; undefined if they are very many. */
  naming(part: string): readonly Entry[] | undefined
  /** Those that could not be parsed. */
  unparsed(): ReadonlySet<string>
  /** Those that hold secrets, and did: when one went is not told either. */
  secrets(): ReadonlySet<string>
  /** Who looks for what. */
  readonly links: Pick<StarLinks, 'places' | 'followers' | 'named' | 'settings'>
  statistics(): IndexStatistics
  /** Over paths and contents. */
  sum(): ContentSum
  hash(): string
}

interface Range {
  readonly list: readonly Entry[]
  readonly from: number
  readonly to: number
}

export function createFileTable(): FileTable {
  const files = new Map<string, Entry>()
  const byPath = createPostings<Entry>()
  const sorted = () => byPath.get(ALL)
  const byExport = createPostings<Entry>()
  const byTag = createPostings<Entry>()
  const bySymbol = createPostings<Entry>()
  /** By what symbols stand in that is declared elsewhere. */
  const byHolder = createPostings<Entry>()
  const nameList = createNameList(() => new Set([...bySymbol.names(), ...byHolder.names()]))
  const links = createStarLinks()
  const unfollowed = new Set<string>()
  const unparsed = new Set<string>()
  const secrets = new Set<string>()
  const sum = createContentSum()
  /** Files that the sum is not up to date with, and the content that it has of them. */
  const unsummed = new Map<string, string | undefined>()
  let exports = 0
  let version = 0
  let hashed: { readonly version: number; readonly text: string } | undefined

  const table: FileTable = {
    version: () => version,
    put(file) {
      const before = files.get(file.path)
      // What it passes on is looked for when somebody asks.
      const own = file.facts ? ownExports(file.facts) : []
      changes(file.path, before?.content)
      if (before) {
        takeOut(before)
        // In place: lists point at this very entry.
        putIn(Object.assign(before, NOTHING_SAID, file, { exports: own }))
      } else {
        const entry = { ...file, exports: own }
        files.set(file.path, entry)
        if (isSecretFile(file.path)) secrets.add(file.path)
        byPath.add(ALL, entry)
        putIn(entry)
      }
      links.put(file)
    },
    touch(file) {
      const before = files.get(file.path)
      if (!before) return table.put(file)
      changes(file.path, before.content)
      Object.assign(before, file)
    },
    remove(path) {
      const before = files.get(path)
      if (!before) return
      changes(path, before.content)
      takeOut(before)
      files.delete(path)
      byPath.remove(ALL, path)
      links.remove(path)
    },
    followFor: ms => follow(performance.now() + ms),
    get(path) {
      follow()
      return files.get(path)
    },
    has: path => files.has(path),
    peek: path => files.get(path),
    all() {
      follow()
      return sorted()
    },
    find(query) {
      follow()
      if (query.by === 'all') return whole(sorted())
      if (query.by === 'export') return whole(byExport.get(query.value))
      if (query.by === 'tag') return whole(byTag.get(query.value))
      if (query.by === 'symbol') return whole(bySymbol.get(query.value))
      const list = sorted()
      return { list, from: placeOf(list, query.value), to: endOfPrefix(list, query.value) }
    },
    naming(part) {
      const found = nameList.containing(part)
      if (!found) return undefined
      const naming = new Map<string, Entry>()
      for (const name of found) {
        for (const entry of [...bySymbol.get(name), ...byHolder.get(name)]) naming.set(entry.path, entry)
        if (naming.size > MOST_NAMING) return undefined
      }
      return [...naming.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
    },
    unparsed: () => unparsed,
    secrets: () => secrets,
    links,
    statistics() {
      follow()
      const counts = [...byTag.counts()].toSorted(([a], [b]) => (a < b ? -1 : 1))
      return { totalFiles: files.size, totalExports: exports, byTag: Object.fromEntries(counts) }
    },
    sum: summed,
    hash: () => (hashed?.version === version ? hashed : (hashed = { version, text: summed().text() })).text,
  }
  return table

  function changes(path: string, content: string | undefined): void {
    version++
    if (!unsummed.has(path)) unsummed.set(path, content)
  }

  /** While an index is made each file changes several times before somebody asks. */
  function summed(): ContentSum {
    for (const [path, before] of unsummed) {
      const now = files.get(path)?.content
      if (now === before) continue
      if (before !== undefined) sum.remove(path, before)
      if (now !== undefined) sum.add(path, now)
    }
    unsummed.clear()
    return sum
  }

  function putIn(entry: Entry): void {
    const { facts } = entry
    if (entry.unparsed !== undefined) unparsed.add(entry.path)
    exports += entry.exports.length
    for (const name of entry.exports) byExport.add(name, entry)
    if (!facts) return
    for (const tag of facts.tags) byTag.add(tag, entry)
    for (const name of symbolNames(facts.symbols)) if (bySymbol.add(name, entry)) nameList.note(name)
    for (const name of namesAround(facts.symbols)) if (byHolder.add(name, entry)) nameList.note(name)
  }

  function takeOut({ path, exports: names, facts }: Entry): void {
    unparsed.delete(path)
    exports -= names.length
    for (const name of names) byExport.remove(name, path)
    if (!facts) return
    for (const tag of facts.tags) byTag.remove(tag, path)
    for (const name of symbolNames(facts.symbols)) bySymbol.remove(name, path)
    for (const name of namesAround(facts.symbols)) byHolder.remove(name, path)
  }

  /** Brings up to date the exports of those whose `export *` may lead elsewhere now; false if time ended before. */
  function follow(until = Infinity): boolean {
    for (const path of links.stale()) unfollowed.add(path)
    if (unfollowed.size === 0) return true
    const exportsOf = followedExports({ get: path => files.get(path), places: links.places })
    for (const path of unfollowed) {
      unfollowed.delete(path)
      const entry = files.get(path)
      if (entry) pass(entry, exportsOf(entry))
      if (performance.now() > until) break
    }
    return unfollowed.size === 0
  }

  function pass(entry: Entry, names: readonly string[]): void {
    if (names.length === entry.exports.length && names.every((name, at) => name === entry.exports[at])) return
    for (const name of entry.exports) byExport.remove(name, entry.path)
    exports += names.length - entry.exports.length
    Object.assign(entry, { exports: names })
    for (const name of names) byExport.add(name, entry)
  }
}

/** Of a file that says otherwise now, or nothing any more. */
const NOTHING_SAID = { facts: undefined, settings: undefined, unparsed: undefined }

/** Of more files it is as quick to look at each until there is enough. */
const MOST_NAMING = 5_000

/** Every file is under one name. */
const ALL = ''

const whole = (list: readonly Entry[]): Range => ({ list, from: 0, to: list.length })

function endOfPrefix(list: readonly Entry[], prefix: string): number {
  if (prefix === '') return list.length
  let low = placeOf(list, prefix)
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]?.path.startsWith(prefix)) low = middle + 1
    else high = middle
  }
  return low
}
