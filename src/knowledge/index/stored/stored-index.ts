import type { Root } from '../../../machine/workspace/root.ts'
import type { UserPlaces } from '../../tree/ignore/user-places.ts'
import { areSameFiles, isAsImaged } from '../../tree/tree-image.ts'
import type { RepositoryIndex } from '../repository-index.ts'
import type { Visibility } from '../table/answer.ts'
import type { IndexAnswer, IndexQuery, QueryOptions } from '../types.ts'
import type { StoredPlace } from './stored-place.ts'
import { readStored, type StoredTable } from './stored-table.ts'
import { openSections, type Sections } from '../../../machine/state/sections.ts'

interface StoredParts {
  readonly root: Root
  readonly user: UserPlaces
  readonly place: StoredPlace
  /** Opens an index in this process, which stats every directory and loads the facts of every file. */
  readonly full: () => Promise<RepositoryIndex>
}

/** After this many requests an index with change notifications is worth opening. */
const MOST_QUESTIONS = 3
/** So many files and directories are looked at in less time than it takes to explain that they were not. */
const FEW = 1_000
/** How long the update after a quick answer may take; the next process goes on. */
const UPDATE_MS = 10_000
/** Differs from every version of an open index. */
const KEPT_VERSION = -1

/**
 * Index for a program that ends soon. Uses the stored index of an earlier process if a stat of every directory and file
 * shows no change; otherwise opens one. A first question that asks for a quick answer needs only the files of its answer
 * unchanged, and the rest is brought up to date before the program ends.
 */
export function storedIndex({ root, user, place, full }: StoredParts): RepositoryIndex {
  let sections: Sections | undefined
  let table: StoredTable | undefined
  let isRead = false
  let questions = 0
  /** The image was checked with the paths that the next request leaves out. */
  let isChecked = false
  /** A quick answer was given, and not everything was looked at since. */
  let isUpdateDue = false

  return {
    async query(query, options) {
      const { sight, isQuick = false } = options
      const answer = isQuick ? quickAnswer(query, options) : undefined
      return (
        answer ??
        answerOf(sight, (kept, hidden) => pageOf(kept, query, options, hidden).page) ??
        (await full()).query(query, options)
      )
    },
    async symbols(query, options) {
      const { limit, sight } = options
      const { findSymbols } = await import('../table/find-symbols.ts')
      const { storedSymbols } = await import('./stored-symbols.ts')
      const answer = answerOf(sight, (kept, hidden) => ({
        symbols: findSymbols(storedSymbols(kept, hidden), query, { limit }),
        unparsed: kept.unparsed(hidden),
        damaged: kept.damaged(query, hidden),
        current: true,
      }))
      return answer ?? (await full()).symbols(query, options)
    },
    facts: async (path, sight) => (await full()).facts(path, sight),
    glance: async (path, sight) => (await full()).glance(path, sight),
    around: async places => (await full()).around(places),
    async status(sight) {
      const answer = answerOf(sight, (kept, hidden) => ({
        ...kept.statistics(hidden),
        repoHash: kept.hash(hidden),
        unparsed: kept.unparsed(hidden),
        // The current time, as for a new index: the time of storing would reveal changes in hidden files.
        generatedAt: Date.now(),
        state: 'current' as const,
        pending: 0,
      }))
      return answer ?? (await full()).status(sight)
    },
    async paths(known, waitMs) {
      const storedTable = current()
      if (!storedTable) return (await full()).paths(known, waitMs)
      isChecked = true
      return { version: KEPT_VERSION, ...(known !== KEPT_VERSION && { paths: storedTable.paths() }) }
    },
    async close() {
      const isOutdated = isUpdateDue && !(table && isAsImaged(table.tree, root, user))
      forget()
      // Its own end stores it.
      if (isOutdated) await (await full()).paths(undefined, UPDATE_MS)
    },
  }

  /** Returns undefined unless this is the first of all questions, there is much to look at, and the files are unchanged. */
  function quickAnswer(
    query: IndexQuery,
    options: QueryOptions & { readonly sight?: Visibility },
  ): IndexAnswer | undefined {
    if (questions > 0) return undefined
    if (!isRead) read()
    const hiddenPaths = table?.hiddenFrom(options.sight)
    if (!table || !hiddenPaths || table.tree.files.length + table.tree.folders.length <= FEW) return undefined
    try {
      const { page, numbers } = pageOf(table, query, options, hiddenPaths)
      if (!areSameFiles(table.tree, numbers, root, user)) return undefined
      questions++
      isUpdateDue = true
      return { ...page, current: false, unchecked: true }
    } catch {
      return forget()
    }
  }

  /** Returns undefined if an index must be opened. */
  function answerOf<T>(sight: Visibility | undefined, answer: (kept: StoredTable, hidden: ReadonlySet<string>) => T) {
    const storedTable = isChecked ? table : current()
    isChecked = false
    questions++
    const hiddenPaths = storedTable?.hiddenFrom(sight)
    if (!storedTable || !hiddenPaths) return undefined
    try {
      return answer(storedTable, hiddenPaths)
    } catch {
      // A part read late is damaged.
      return forget()
    }
  }

  function current(): StoredTable | undefined {
    if (questions >= MOST_QUESTIONS) return forget()
    if (!isRead) read()
    if (!table || !isAsImaged(table.tree, root, user)) return forget()
    isUpdateDue = false
    return table
  }

  function read(): void {
    isRead = true
    sections = openSections(place.file, place.key())
    try {
      table = sections && readStored(sections)
    } catch {
      forget()
    }
  }

  function forget(): undefined {
    sections?.close()
    sections = undefined
    table = undefined
    isRead = true
  }
}

/** Returns one page of a query's result, and the positions of its files. */
function pageOf(
  storedTable: StoredTable,
  query: IndexQuery,
  { limit, skip = 0 }: QueryOptions,
  hiddenPaths: ReadonlySet<string>,
): { readonly page: IndexAnswer; readonly numbers: readonly number[] } {
  const all = storedTable.find(query, hiddenPaths)
  const numbers = all.slice(skip, skip + limit)
  return {
    numbers,
    page: {
      files: numbers.map(storedTable.file),
      total: all.length,
      repoHash: storedTable.hash(hiddenPaths),
      unparsed: storedTable.unparsed(hiddenPaths),
      current: true,
    },
  }
}
