import { join } from 'node:path'
import { makeCacheDirectory } from '../../machine/state/cache-directory.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import type { TreeFile } from '../tree/tree.ts'
import type { IndexSettings } from './index-settings.ts'
import { isSettings } from '../../languages/javascript/modules/module-settings.ts'
import type { Parsed } from './parsing/messages.ts'
import { openParsePool } from './parsing/parse-pool.ts'
import { createPendingFiles, type PendingFiles } from './parsing/pending-files.ts'
import { unparsedFiles, visibleLeads } from './table/answer.ts'
import { createChangeTimes, type ChangeTimes } from './table/change-times.ts'
import { createFileTable } from './table/file-table.ts'
import type { Led } from './table/followed-exports.ts'
import { unparsedNote } from './unparsed-note.ts'
import { unparsedForSize } from './unparsed-record.ts'

const AT_ONCE = 50
/** Files added to the list before other work gets its turn. */
const SLICE = 1000
/** The longest that one piece of work blocks other work. */
export const TURN_MS = 8
const PATIENCE_MS = 10_000

/** The table of a tree's files. Parses new and changed files in the background. */
export class FilledTable {
  readonly table = createFileTable()
  readonly changes: ChangeTimes = createChangeTimes()
  readonly pending: PendingFiles = createPendingFiles()
  readonly #settings: IndexSettings
  readonly #patienceMs: number
  readonly #pool: ReturnType<typeof openParsePool>
  readonly #noteUnparsed: ReturnType<typeof unparsedNote> | undefined
  #isLoaded = false
  /** Nothing was stored, so files can be parsed as soon as they are listed. */
  #isNew = false
  #isPruned = false
  #isClosed = false
  #mayParse: boolean
  #pathsVersion = 0
  readonly #unsubscribe: () => void
  readonly #loaded: Promise<void>

  constructor(settings: IndexSettings) {
    const { tree, directory, cacheDirectory, patienceMs = PATIENCE_MS } = settings
    const isKept = cacheDirectory !== undefined && makeCacheDirectory(cacheDirectory)
    const cacheFile = isKept ? join(cacheDirectory, 'facts.sqlite') : undefined
    this.#settings = settings
    this.#patienceMs = patienceMs
    this.#pool = openParsePool({ directory, cacheFile, isPatient: settings.after !== undefined })
    this.#noteUnparsed = isKept ? unparsedNote(cacheDirectory) : undefined
    this.#mayParse = settings.after === undefined
    this.#unsubscribe = tree.onChange(({ put, gone }) => {
      for (const path of gone) this.#remove(path)
      for (const file of put) this.#want(file)
      this.#hand()
    })
    this.#loaded = this.#load()
    const begin = () => this.#begin()
    void settings.after?.then(begin, begin)
  }

  isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Increases when a path is added or removed. */
  pathsVersion(): number {
    return this.#pathsVersion
  }

  /** Follows exports through many files in pieces, so that other work gets its turn. */
  async followed(): Promise<void> {
    while (!this.table.followFor(TURN_MS)) await turn()
  }

  /** Returns true if the table includes everything that happened before the call. */
  async caughtUp(waitMs = this.#patienceMs): Promise<boolean> {
    if (await this.#isWhole()) return true
    this.#begin()
    const allDone = Promise.all([this.#loaded, this.#settings.tree.caughtUp()]).then(() => this.pending.gone())
    return (await doneWithin(allDone, waitMs)) && !this.#isClosed
  }

  /** The same for one file and the files that it re-exports. */
  async caughtUpWith(path: string): Promise<void> {
    if (await this.#isWhole()) return
    this.#begin()
    await doneWithin(
      Promise.all([this.#loaded, this.#settings.tree.caughtUp()]).then(async () => {
        for (;;) {
          const missing = this.missingFor(visibleLeads(this.table, path))
          if (missing.length === 0 || this.#isClosed) return
          this.pending.hurry(missing)
          await this.pending.gone(missing)
        }
      }),
      this.#patienceMs,
    )
  }

  /** Returns the files not read yet. Includes all settings, because any may define a module name. */
  missingFor({ files, isNamed }: Led): readonly string[] {
    const missing = files.filter(each => this.pending.has(each))
    return isNamed ? [...missing, ...this.pending.those(isSettings)] : missing
  }

  async close(): Promise<void> {
    const { keep } = this.#settings
    if (keep && (await this.#isWhole())) await keep(this.table)
    this.#isClosed = true
    this.#unsubscribe()
    this.pending.release()
    await this.#pool.close()
  }

  async #load(): Promise<void> {
    const { tree } = this.#settings
    let next = this.#pool.load()
    void next.then(({ files, isLast }) => {
      this.#isNew = isLast && files.length === 0
      this.#hand()
    })
    await tree.caughtUp()
    // Files listed before this listener was added; later changes are reported.
    for (const [index, path] of Array.from(tree.files().keys()).entries()) {
      const file = tree.files().get(path)
      if (file && !this.table.has(path)) this.#want(file)
      if (index % SLICE === SLICE - 1) await turn()
    }
    for (;;) {
      const { files, isLast } = await next
      if (!isLast) next = this.#pool.load()
      for (const [at, cachedFile] of files.entries()) {
        const file = tree.files().get(cachedFile.path)
        if (file?.stamp === cachedFile.stamp) this.#take(file, cachedFile)
        if (at % SLICE === SLICE - 1) await turn()
      }
      if (isLast || this.#isClosed) break
    }
    this.#isLoaded = true
    this.#hand()
    if (this.pending.size() === 0) void this.#rest()
  }

  /** A new or changed file is listed at once, and appears in answers once it is parsed. */
  #want(file: TreeFile): void {
    if (this.#settings.leaveOut?.(file.path)) return
    const { path, size, mtimeMs, stamp } = file
    if (!this.table.has(path)) this.#pathsVersion++
    this.#changed(path)
    const now = { path, size, mtimeMs, content: stamp }
    if (size <= LARGEST) {
      this.table.touch(now)
      this.pending.put(file)
      return
    }
    this.table.put({ ...now, ...unparsedForSize(path) })
    this.pending.drop(path)
  }

  #remove(path: string): void {
    if (this.table.has(path)) this.#changed(path)
    this.table.remove(path)
    this.#pathsVersion++
    this.pending.drop(path)
  }

  /** Files found during the first build are no changes. */
  #changed(path: string): void {
    if (this.#isLoaded) this.changes.note(path)
    else this.changes.begin()
  }

  #take(file: TreeFile, { content, facts, settings: said, unparsed }: Parsed): void {
    const { path, size, mtimeMs, stamp } = file
    // It changed again or was removed during parsing.
    if (!this.pending.holds(file)) return
    this.table.put({
      path,
      size,
      mtimeMs,
      content: content ?? stamp,
      ...(facts && { facts }),
      ...(said && { settings: said }),
      ...(unparsed !== undefined && { unparsed }),
    })
    this.pending.drop(path)
  }

  #begin(): void {
    if (this.#mayParse) return
    this.#mayParse = true
    this.#hand()
  }

  /** Gives free threads work. */
  #hand(): void {
    if (!(this.#isLoaded || this.#isNew) || !this.#mayParse || this.#isClosed) return
    while (this.#pool.free() > 0) {
      const files = this.pending.next(AT_ONCE)
      if (files.length === 0) return
      void this.#parse(files)
    }
  }

  async #parse(files: readonly TreeFile[]): Promise<void> {
    const isUnkept = this.#settings.isDenied ?? (() => false)
    const records = await this.#pool.parse(files.map(({ path, stamp }) => ({ path, stamp, isUnkept: isUnkept(path) })))
    for (const [at, file] of files.entries()) {
      const record = records[at]
      if (record) this.#take(file, record)
    }
    this.#hand()
    if (this.pending.size() === 0) await this.#rest()
  }

  /** Cleans up once nothing is left to parse. */
  async #rest(): Promise<void> {
    if (this.#isClosed || !this.#isLoaded) return
    await this.followed()
    this.#noteUnparsed?.(unparsedFiles(this.table, undefined))
    const isFirst = !this.#isPruned
    this.#isPruned = true
    if (isFirst && !this.#isClosed) await this.#pool.prune([...this.#settings.tree.files().keys()])
    this.#hand()
  }

  /** Returns true if everything is known and no work is left. */
  async #isWhole(): Promise<boolean> {
    const { state } = await this.#settings.tree.settle()
    return state === 'current' && this.#isLoaded && this.pending.size() === 0
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Reports whether the work is done within the time. */
function doneWithin(work: Promise<unknown>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, waitMs, false)
  })
  return Promise.race([late, work.then(() => true)]).finally(() => clearTimeout(timer))
}
