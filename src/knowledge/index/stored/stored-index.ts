import type { Root } from '../../../machine/workspace/root.ts'
import type { UserPlaces } from '../../tree/ignore/user-places.ts'
import { areSameFiles, isAsImaged } from '../../tree/tree-image.ts'
import type { IndexQuestion, OpenRepositoryIndex, RepositoryIndex } from '../repository-index.ts'
import type { Visibility } from '../table/answer.ts'
import type { IndexAnswer } from '../types.ts'
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
const STORED_VERSION = 'stored'

/**
 * Index for a program that ends soon. Uses the stored index of an earlier process if a stat of every directory and file
 * shows no change; otherwise opens one. A first question that asks for a quick answer needs only the files of its answer
 * unchanged, and the rest is brought up to date before the program ends.
 */
export function storedIndex({ root, user, place, full }: StoredParts): OpenRepositoryIndex {
  let sections: Sections | undefined
  let table: StoredTable | undefined
  let isRead = false
  let questions = 0
  /** The image was checked with the paths that the next request leaves out. */
  let isChecked = false
  /** A quick answer was given, and not everything was looked at since. */
  let isUpdateDue = false

  return {
    async query(question) {
      const answer = question.isQuick ? quickAnswer(question) : undefined
      return (
        answer ??
        answerOf(question.sight, (kept, hidden) => pageOf(kept, question, hidden).page) ??
        (await full()).query(question)
      )
    },
    async symbols(question) {
      const { query, limit, sight } = question
      const { findSymbols } = await import('../table/find-symbols.ts')
      const { storedSymbols } = await import('./stored-symbols.ts')
      const answer = answerOf(sight, (kept, hidden) => ({
        symbols: findSymbols(storedSymbols(kept, hidden), query, { limit }),
        unparsed: kept.unparsed(hidden),
        damaged: kept.damaged(query, hidden),
        current: true,
      }))
      return answer ?? (await full()).symbols(question)
    },
    facts: async question => (await full()).facts(question),
    glance: async question => (await full()).glance(question),
    around: async question => (await full()).around(question),
    async status({ sight }) {
      const answer = answerOf(sight, (kept, hidden) => ({
        ...kept.statistics(hidden),
        repoHash: kept.hash(hidden),
        unparsed: kept.unparsed(hidden),
        // The current time, as for a new index: the time of storing would reveal changes in hidden files.
        generatedAt: Date.now(),
        state: 'current' as const,
        pending: 0,
      }))
      return answer ?? (await full()).status({ sight })
    },
    async paths(question) {
      const storedTable = current()
      if (!storedTable) return (await full()).paths(question)
      isChecked = true
      return { version: STORED_VERSION, ...(question.known !== STORED_VERSION && { paths: storedTable.paths() }) }
    },
    async close() {
      const isOutdated = isUpdateDue && !(table && isAsImaged(table.tree, root, user))
      forget()
      // Its own end stores it.
      if (isOutdated) await (await full()).paths({ waitMs: UPDATE_MS })
    },
  }

  /** Returns undefined unless this is the first of all questions, there is much to look at, and the files are unchanged. */
  function quickAnswer(question: IndexQuestion): IndexAnswer | undefined {
    if (questions > 0) return undefined
    if (!isRead) read()
    const hiddenPaths = table?.hiddenFrom(question.sight)
    if (!table || !hiddenPaths || table.tree.files.length + table.tree.folders.length <= FEW) return undefined
    try {
      const { page, numbers } = pageOf(table, question, hiddenPaths)
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
  { query, limit, skip = 0 }: IndexQuestion,
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
