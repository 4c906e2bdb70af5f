import { isSecretFile } from '../../../kernel/secret-files.ts'
import type { IndexQuery, IndexStatistics } from '../types.ts'
import { createContentSum, type ContentSum } from './content-sum.ts'
import type { Entry, FoundFile } from './entry.ts'
import { followedExports, ownExports } from './followed-exports.ts'
import { createNameList } from './name-list.ts'
import { namesAround, symbolNames } from './packed-symbols.ts'
import { createPostings, placeOf } from './postings.ts'
import { sharedFacts } from './shared-facts.ts'
import { createStarLinks, type StarLinks } from './star-links.ts'

/** All files with their facts, organized so that a request costs no more than its answer. */
export interface FileTable {
  /** Increases with every change. */
  version(): number
  put(file: FoundFile): void
  /** Marks a file as changed before its new facts are known; the old ones stay. */
  touch(file: Omit<FoundFile, 'facts' | 'settings'>): void
  remove(path: string): void
  /** Follows `export *` for this long, so that the next request need not. Returns false if work is left. */
  followFor(ms: number): boolean
  get(path: string): Entry | undefined
  has(path: string): boolean
  /** Returns one file without its re-exports. */
  peek(path: string): FoundFile | undefined
  all(): readonly Entry[]
  /** Returns the files of a query in path order, as a slice of a list that callers must not keep. */
  find(query: IndexQuery): Range
  /**
   * Returns the files in which the name of a symbol or its container holds this lower-case part, in path order. Returns
   * undefined if there are too many.
   */
  naming(part: string): readonly Entry[] | undefined
  /** Files that could not be parsed. */
  unparsed(): ReadonlySet<string>
  /** Files with names that may be lost. */
  damaged(): ReadonlySet<string>
  /** Files with secrets, including removed ones: the time of a removal is hidden too. */
  secrets(): ReadonlySet<string>
  /** Links between modules. */
  readonly links: Pick<StarLinks, 'places' | 'followers' | 'named' | 'settings'>
  statistics(): IndexStatistics
  /** Sum over paths and contents. */
  sum(): ContentSum
  hash(): string
}

interface Range {
  readonly list: readonly Entry[]
  readonly from: number
  readonly to: number
}

export const createFileTable = (): FileTable => new PostedFiles()

class PostedFiles implements FileTable {
  readonly #files = new Map<string, Entry>()
  readonly #byPath = createPostings<Entry>()
  readonly #byExport = createPostings<Entry>()
  readonly #byTag = createPostings<Entry>()
  readonly #bySymbol = createPostings<Entry>()
  /** By containers of symbols that are declared elsewhere. */
  readonly #byHolder = createPostings<Entry>()
  readonly #nameList = createNameList(() => new Set([...this.#bySymbol.names(), ...this.#byHolder.names()]))
  readonly links = createStarLinks()
  readonly #shared = sharedFacts()
  readonly #unfollowed = new Set<string>()
  readonly #unparsed = new Set<string>()
  readonly #damaged = new Set<string>()
  readonly #secrets = new Set<string>()
  readonly #sum = createContentSum()
  /** Files whose change is not in the sum yet, with the content it includes for them. */
  readonly #unsummed = new Map<string, string | undefined>()
  #exports = 0
  #version = 0
  #hashed: { readonly version: number; readonly text: string } | undefined

  version(): number {
    return this.#version
  }

  put(found: FoundFile): void {
    const facts = found.facts && this.#shared(found.facts)
    const file = facts ? { ...found, facts } : found
    const before = this.#files.get(file.path)
    // Re-exports are resolved on the next request.
    const directExports = facts ? ownExports(facts) : []
    this.#changes(file.path, before?.content)
    if (before) {
      this.#takeOut(before)
      // In place, because lists reference this entry.
      this.#putIn(Object.assign(before, NOTHING_SAID, file, { exports: directExports }))
    } else {
      const entry = { ...file, exports: directExports }
      this.#files.set(file.path, entry)
      if (isSecretFile(file.path)) this.#secrets.add(file.path)
      this.#byPath.add(ALL, entry)
      this.#putIn(entry)
    }
    this.links.put(file)
  }

  touch(file: Omit<FoundFile, 'facts' | 'settings'>): void {
    const before = this.#files.get(file.path)
    if (!before) return this.put(file)
    this.#changes(file.path, before.content)
    Object.assign(before, file)
  }

  remove(path: string): void {
    const before = this.#files.get(path)
    if (!before) return
    this.#changes(path, before.content)
    this.#takeOut(before)
    this.#files.delete(path)
    this.#byPath.remove(ALL, path)
    this.links.remove(path)
  }

  followFor(ms: number): boolean {
    return this.#follow(performance.now() + ms)
  }

  get(path: string): Entry | undefined {
    this.#follow()
    return this.#files.get(path)
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  peek(path: string): FoundFile | undefined {
    return this.#files.get(path)
  }

  all(): readonly Entry[] {
    this.#follow()
    return this.#sorted()
  }

  find(query: IndexQuery): Range {
    this.#follow()
    if (query.by === 'all') return whole(this.#sorted())
    if (query.by === 'export') return whole(this.#byExport.get(query.value))
    if (query.by === 'tag') return whole(this.#byTag.get(query.value))
    if (query.by === 'symbol') return whole(this.#bySymbol.get(query.value))
    const list = this.#sorted()
    return { list, from: placeOf(list, query.value), to: endOfPrefix(list, query.value) }
  }

  naming(part: string): readonly Entry[] | undefined {
    const matchingNames = this.#nameList.containing(part)
    if (!matchingNames) return undefined
    const naming = new Map<string, Entry>()
    for (const name of matchingNames) {
      for (const entry of [...this.#bySymbol.get(name), ...this.#byHolder.get(name)]) naming.set(entry.path, entry)
      if (naming.size > MOST_NAMING) return undefined
    }
    return [...naming.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
  }

  unparsed(): ReadonlySet<string> {
    return this.#unparsed
  }

  damaged(): ReadonlySet<string> {
    return this.#damaged
  }

  secrets(): ReadonlySet<string> {
    return this.#secrets
  }

  statistics(): IndexStatistics {
    this.#follow()
    const counts = [...this.#byTag.counts()].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return { totalFiles: this.#files.size, totalExports: this.#exports, byTag: Object.fromEntries(counts) }
  }

  /** During a build, each file changes several times before the first request. */
  sum(): ContentSum {
    for (const [path, before] of this.#unsummed) {
      const now = this.#files.get(path)?.content
      if (now === before) continue
      if (before !== undefined) this.#sum.remove(path, before)
      if (now !== undefined) this.#sum.add(path, now)
    }
    this.#unsummed.clear()
    return this.#sum
  }

  hash(): string {
    const version = this.#version
    if (this.#hashed?.version !== version) this.#hashed = { version, text: this.sum().text() }
    return this.#hashed.text
  }

  #sorted(): readonly Entry[] {
    return this.#byPath.get(ALL)
  }

  #changes(path: string, content: string | undefined): void {
    this.#version++
    if (!this.#unsummed.has(path)) this.#unsummed.set(path, content)
  }

  #putIn(entry: Entry): void {
    const { facts } = entry
    if (entry.unparsed !== undefined) this.#unparsed.add(entry.path)
    this.#exports += entry.exports.length
    for (const name of entry.exports) this.#byExport.add(name, entry)
    if (!facts) return
    if (facts.lost !== undefined) this.#damaged.add(entry.path)
    for (const tag of facts.tags) this.#byTag.add(tag, entry)
    for (const name of symbolNames(facts.symbols)) if (this.#bySymbol.add(name, entry)) this.#nameList.note(name)
    for (const name of namesAround(facts.symbols)) if (this.#byHolder.add(name, entry)) this.#nameList.note(name)
  }

  #takeOut({ path, exports: names, facts }: Entry): void {
    this.#unparsed.delete(path)
    this.#damaged.delete(path)
    this.#exports -= names.length
    for (const name of names) this.#byExport.remove(name, path)
    if (!facts) return
    for (const tag of facts.tags) this.#byTag.remove(tag, path)
    for (const name of symbolNames(facts.symbols)) this.#bySymbol.remove(name, path)
    for (const name of namesAround(facts.symbols)) this.#byHolder.remove(name, path)
  }

  /** Updates exports whose `export *` may resolve differently now. Returns false if time ran out. */
  #follow(until = Infinity): boolean {
    for (const path of this.links.stale()) this.#unfollowed.add(path)
    if (this.#unfollowed.size === 0) return true
    const exportsOf = followedExports({ get: path => this.#files.get(path), places: this.links.places })
    for (const path of this.#unfollowed) {
      this.#unfollowed.delete(path)
      const entry = this.#files.get(path)
      if (entry) this.#pass(entry, exportsOf(entry))
      if (performance.now() > until) break
    }
    return this.#unfollowed.size === 0
  }

  #pass(entry: Entry, names: readonly string[]): void {
    if (names.length === entry.exports.length && names.every((name, at) => name === entry.exports[at])) return
    for (const name of entry.exports) this.#byExport.remove(name, entry.path)
    this.#exports += names.length - entry.exports.length
    Object.assign(entry, { exports: names })
    for (const name of names) this.#byExport.add(name, entry)
  }
}

/** Resets the facts of a file that changed or no longer has any. */
const NOTHING_SAID = { facts: undefined, settings: undefined, unparsed: undefined }

/** Beyond this many files, checking each until there are enough is as fast. */
const MOST_NAMING = 5_000

/** Lists every file under one name. */
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
