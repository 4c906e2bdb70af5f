import { join } from 'node:path'
import { makeCacheDirectory } from '../../machine/state/cache-directory.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import type { IndexSettings } from './index-settings.ts'
import { isSettings } from './modules/module-settings.ts'
import type { Parsed } from './parsing/messages.ts'
import { openParsePool } from './parsing/parse-pool.ts'
import { createPendingFiles } from './parsing/pending-files.ts'
import {
  counted,
  page,
  visibleEntry,
  visibleLeads,
  spelledOut,
  unparsedFiles,
  type Visibility,
} from './table/answer.ts'
import { createChangeTimes } from './table/change-times.ts'
import { createFileTable } from './table/file-table.ts'
import type { Led } from './table/followed-exports.ts'
import { fileFacts } from './table/kept-facts.ts'
import { visibleHash } from './table/visible-hash.ts'
import { seenSymbols } from './table/seen-symbols.ts'
import type { TreeFile } from '../tree/tree.ts'
import { unparsedNote } from './unparsed-note.ts'
import { withinPatience } from './within-patience.ts'
import type { RepositoryIndex } from './repository-index.ts'

const AT_ONCE = 50
/** Files that are put into the list before others get their turn. */
const SLICE = 1000
/** Longest that one piece of work keeps others from their turn. */
const TURN_MS = 8
const PATIENCE_MS = 10_000

/** Opens the index over the files of a tree, which stays the caller's to close. */
export function openRepositoryIndex(settings: IndexSettings): RepositoryIndex {
  const { tree, directory, cacheDirectory, patienceMs = PATIENCE_MS } = settings
  const isKept = cacheDirectory !== undefined && makeCacheDirectory(cacheDirectory)
  const cacheFile = isKept ? join(cacheDirectory, 'facts.sqlite') : undefined
  const pool = openParsePool({ directory, cacheFile, isPatient: settings.after !== undefined })
  const noteUnparsed = isKept ? unparsedNote(cacheDirectory) : undefined
  const table = createFileTable()
  const changes = createChangeTimes()
  const pending = createPendingFiles()
  let isLoaded = false
  /** Nothing was kept, so that files can be parsed as soon as they are listed. */
  let isNew = false
  let isPruned = false
  let isClosed = false
  let mayParse = settings.after === undefined
  let pathsVersion = 0

  const unsubscribe = tree.onChange(({ put, gone }) => {
    for (const path of gone) remove(path)
    for (const file of put) want(file)
    hand()
  })
  const told = (sight?: Visibility) => ({ repoHash: visibleHash(table, sight), unparsed: unparsedFiles(table, sight) })
  const loaded = load()
  void settings.after?.then(begin, begin)

  return {
    async query(query, { limit, skip = 0, sight: given, waitMs }) {
      const current = await caughtUp(waitMs)
      await followed()
      const sight = spelledOut(table, given)
      return { ...page(table, query, { limit, skip, sight }), ...told(sight), current }
    },
    async symbols(query, { limit, sight: given, waitMs }) {
      const current = await caughtUp(waitMs)
      await followed()
      const sight = spelledOut(table, given)
      return {
        symbols: seenSymbols(table, query, { limit, sight }),
        unparsed: unparsedFiles(table, sight),
        current,
      }
    },
    async facts(path, sight) {
      await caughtUpWith(path)
      await followed()
      const entry = visibleEntry(table, path, spelledOut(table, sight))
      return entry && fileFacts(entry)
    },
    async glance(path, given) {
      const { state } = await tree.settle()
      if (state !== 'current' || !isLoaded || !table.followFor(TURN_MS)) return undefined
      const sight = spelledOut(table, given)
      const entry = visibleEntry(table, path, sight)
      const led = visibleLeads(table, path, sight?.leaveOut)
      const missing = missingFor(led)
      if (missing.length > 0) pending.hurry(missing)
      const facts = entry && missing.length === 0 ? fileFacts(entry) : undefined
      return facts && { facts, through: [...led.files, ...led.settings] }
    },
    async status(given) {
      const { state } = await tree.settle()
      await followed()
      const sight = spelledOut(table, given)
      return {
        ...counted(table, sight),
        ...told(sight),
        generatedAt: changes.newest(sight?.leaveOut),
        state: !isLoaded ? 'building' : pending.size() > 0 || state === 'behind' ? 'behind' : 'current',
        pending: pending.size(),
      }
    },
    async paths(known, waitMs) {
      await caughtUp(waitMs)
      if (known === pathsVersion) return { version: pathsVersion }
      const gone = [...changes.paths()].filter(path => !table.has(path))
      return { version: pathsVersion, paths: [...table.all().map(({ path }) => path), ...gone] }
    },
    async close() {
      if (settings.keep && (await isWhole())) await settings.keep(table)
      isClosed = true
      unsubscribe()
      pending.release()
      await pool.close()
    },
  }

  async function load(): Promise<void> {
    let next = pool.load()
    void next.then(({ files, isLast }) => {
      isNew = isLast && files.length === 0
      hand()
    })
    await tree.caughtUp()
    // Those that were listed before anybody listened here; whatever changes meanwhile is told of.
    for (const [seen, path] of Array.from(tree.files().keys()).entries()) {
      const file = tree.files().get(path)
      if (file && !table.has(path)) want(file)
      if (seen % SLICE === SLICE - 1) await turn()
    }
    for (;;) {
      const { files, isLast } = await next
      if (!isLast) next = pool.load()
      for (const [at, found] of files.entries()) {
        const file = tree.files().get(found.path)
        if (file?.stamp === found.stamp) take(file, found)
        if (at % SLICE === SLICE - 1) await turn()
      }
      if (isLast || isClosed) break
    }
    isLoaded = true
    hand()
    if (pending.size() === 0) void rest()
  }

  /** A file that is new or may have changed: it is in the list at once, and in the answers when it has been parsed. */
  function want(file: TreeFile): void {
    if (settings.leaveOut?.(file.path)) return
    const { path, size, mtimeMs, stamp } = file
    if (!table.has(path)) pathsVersion++
    changed(path)
    const now = { path, size, mtimeMs, content: stamp }
    if (size <= LARGEST) {
      table.touch(now)
      pending.put(file)
      return
    }
    table.put(now)
    pending.drop(path)
  }

  function remove(path: string): void {
    if (table.has(path)) changed(path)
    table.remove(path)
    pathsVersion++
    pending.drop(path)
  }

  /** What is found while the index is made is no change of any one file. */
  function changed(path: string): void {
    if (isLoaded) changes.note(path)
    else changes.begin()
  }

  function take(file: TreeFile, { content, facts, settings: said, unparsed }: Parsed): void {
    const { path, size, mtimeMs, stamp } = file
    // It changed again, or went, while it was being parsed.
    if (!pending.holds(file)) return
    table.put({
      path,
      size,
      mtimeMs,
      content: content ?? stamp,
      ...(facts && { facts }),
      ...(said && { settings: said }),
      ...(unparsed !== undefined && { unparsed }),
    })
    pending.drop(path)
  }

  function begin(): void {
    if (mayParse) return
    mayParse = true
    hand()
  }

  /** Gives free threads work. */
  function hand(): void {
    if (!(isLoaded || isNew) || !mayParse || isClosed) return
    while (pool.free() > 0) {
      const files = pending.next(AT_ONCE)
      if (files.length === 0) return
      void parse(files)
    }
  }

  async function parse(files: readonly TreeFile[]): Promise<void> {
    const isUnkept = settings.isDenied ?? (() => false)
    const parsed = await pool.parse(files.map(({ path, stamp }) => ({ path, stamp, isUnkept: isUnkept(path) })))
    for (const [at, file] of files.entries()) {
      const found = parsed[at]
      if (found) take(file, found)
    }
    hand()
    if (pending.size() === 0) await rest()
  }

  /** With nothing left to parse there is time to tidy up. */
  async function rest(): Promise<void> {
    if (isClosed || !isLoaded) return
    await followed()
    noteUnparsed?.(unparsedFiles(table, undefined))
    const isFirst = !isPruned
    isPruned = true
    if (isFirst && !isClosed) await pool.prune([...tree.files().keys()])
    hand()
  }

  /** Exports that lead through many files are followed in pieces, between which others get their turn. */
  async function followed(): Promise<void> {
    while (!table.followFor(TURN_MS)) await turn()
  }

  /** True if everything that happened before the call is in the table. */
  async function caughtUp(waitMs = patienceMs): Promise<boolean> {
    if (await isWhole()) return true
    begin()
    const gone = Promise.all([loaded, tree.caughtUp()]).then(() => pending.gone())
    return (await withinPatience(gone, waitMs)) && !isClosed
  }

  /** True if all is known and nothing is left to be looked at. */
  async function isWhole(): Promise<boolean> {
    const { state } = await tree.settle()
    return state === 'current' && isLoaded && pending.size() === 0
  }

  /** The same for one file, and those whose names it passes on. */
  async function caughtUpWith(path: string): Promise<void> {
    if (await isWhole()) return
    begin()
    await withinPatience(
      Promise.all([loaded, tree.caughtUp()]).then(async () => {
        for (;;) {
          const missing = missingFor(visibleLeads(table, path))
          if (missing.length === 0 || isClosed) return
          pending.hurry(missing)
          await pending.gone(missing)
        }
      }),
      patienceMs,
    )
  }

  /** Those files that are still to be read; any settings may give a name its meaning. */
  function missingFor({ files, isNamed }: Led): readonly string[] {
    const missing = files.filter(each => pending.has(each))
    return isNamed ? [...missing, ...pending.those(isSettings)] : missing
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
