import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LARGEST } from './facts/facts-of.ts'
import type { Parsed } from './parsing/messages.ts'
import { openParsePool } from './parsing/parse-pool.ts'
import { counted, page, seenEntry, type Sight } from './table/answer.ts'
import { createFileTable } from './table/file-table.ts'
import { fileFacts } from './table/kept-facts.ts'
import { seenHash } from './table/seen-hash.ts'
import type { Tree, TreeFile } from './tree/tree.ts'
import type { FileFacts, IndexAnswer, IndexQuery, IndexStatus } from './types.ts'

/** What is known of all files of a workspace, held by one process for all who ask. No rule is applied here: that is the caller's. */
export interface RepositoryIndex {
  query(
    query: IndexQuery,
    options: { readonly limit: number; readonly skip?: number; readonly sight?: Sight },
  ): Promise<IndexAnswer>
  /** Undefined for a file that is not in the tree or whose language is not known. */
  facts(path: string, sight?: Sight): Promise<FileFacts | undefined>
  status(sight?: Sight): Promise<IndexStatus>
  /** Every path, and a number that is the same as long as these are the paths; no paths to whoever has that number. */
  paths(known?: number): Promise<{ readonly version: number; readonly paths?: readonly string[] }>
  close(): Promise<void>
}

export interface IndexSettings {
  readonly tree: Tree
  /** The real path of the workspace. */
  readonly directory: string
  /** Where facts are kept; nowhere unless given. */
  readonly cacheDirectory?: string
  /** Files of the workspace that are none of the repository's own. */
  readonly leaveOut?: (path: string) => boolean
  /** How long a question waits for files that are being parsed, before it is answered with what there is. */
  readonly patienceMs?: number
  /** Nothing is parsed before this: others wait for what is being made until then. */
  readonly after?: Promise<unknown>
}

const AT_ONCE = 50
/** Files that are put into the list before others get their turn. */
const SLICE = 1000
const PATIENCE_MS = 10_000

/** Opens the index over the files of a tree, which stays the caller's to close. */
export function openRepositoryIndex(settings: IndexSettings): RepositoryIndex {
  const { tree, directory, cacheDirectory, patienceMs = PATIENCE_MS } = settings
  if (cacheDirectory !== undefined) mkdirSync(cacheDirectory, { recursive: true, mode: 0o700 })
  const cacheFile = cacheDirectory === undefined ? undefined : join(cacheDirectory, 'facts.sqlite')
  const pool = openParsePool({ directory, cacheFile })
  const table = createFileTable()
  /** Files whose facts are still to be found, by path: another object for each time that one has changed. */
  const pending = new Map<string, TreeFile>()
  /** Those of them that no thread has yet. */
  const queue = new Set<TreeFile>()
  const waiting = new Set<() => void>()
  let isLoaded = false
  let isClosed = false
  let pathsVersion = 0
  let changedAt = Date.now()

  const unsubscribe = tree.onChange(({ put, gone }) => {
    for (const path of gone) remove(path)
    for (const file of put) want(file)
    if (isLoaded) hand()
  })
  const loaded = load()
  // Whoever asks is told; that nobody asks is no defect.
  loaded.catch(() => undefined)

  return {
    async query(query, { limit, skip = 0, sight }) {
      const current = await caughtUp()
      return { ...page(table, query, { limit, skip, sight }), repoHash: seenHash(table, sight), current }
    },
    async facts(path, sight) {
      await caughtUp()
      const entry = seenEntry(table, path, sight)
      return entry && fileFacts(entry)
    },
    async status(sight) {
      const { state } = await tree.settle()
      return {
        ...counted(table, sight),
        repoHash: seenHash(table, sight),
        generatedAt: changedAt,
        state: !isLoaded ? 'building' : pending.size > 0 || state === 'behind' ? 'behind' : 'current',
        pending: pending.size,
      }
    },
    async paths(known) {
      await caughtUp()
      if (known === pathsVersion) return { version: pathsVersion }
      return { version: pathsVersion, paths: table.all().map(({ path }) => path) }
    },
    async close() {
      isClosed = true
      unsubscribe()
      for (const tell of waiting) tell()
      await pool.close()
    },
  }

  async function load(): Promise<void> {
    let next = pool.load()
    await tree.caughtUp()
    // Those that were listed before anybody listened here; whatever changes meanwhile is told of.
    let seen = 0
    const listed = Array.from(tree.files().keys())
    for (const path of listed) {
      const file = tree.files().get(path)
      if (file && !table.get(path)) want(file)
      if (++seen % SLICE === 0) await turn()
    }
    for (;;) {
      const { files, isLast } = await next
      for (const found of files) {
        const file = pending.get(found.path)
        if (file?.stamp === found.stamp) take(file, found)
      }
      if (isLast || isClosed) break
      next = pool.load()
    }
    await settings.after?.catch(() => undefined)
    isLoaded = true
    hand()
    if (!isClosed) pool.prune([...tree.files().keys()])
  }

  /** A file that is new or may have changed: it is in the list at once, and in the answers when it has been parsed. */
  function want(file: TreeFile): void {
    if (settings.leaveOut?.(file.path)) return
    const before = pending.get(file.path)
    if (before) queue.delete(before)
    const { path, size, mtimeMs, stamp } = file
    const known = table.get(path)
    if (!known) pathsVersion++
    changedAt = Date.now()
    table.put({ path, size, mtimeMs, content: stamp, ...(known?.facts && { facts: known.facts }) })
    if (size > LARGEST) return void pending.delete(path)
    pending.set(path, file)
    queue.add(file)
  }

  function remove(path: string): void {
    const before = pending.get(path)
    if (before) queue.delete(before)
    pending.delete(path)
    table.remove(path)
    pathsVersion++
    changedAt = Date.now()
    tellWaiting()
  }

  function take(file: TreeFile, { content, facts }: Parsed): void {
    // It changed again, or went, while it was being parsed.
    if (pending.get(file.path) !== file) return
    pending.delete(file.path)
    queue.delete(file)
    const { path, size, mtimeMs, stamp } = file
    table.put({ path, size, mtimeMs, content: content ?? stamp, ...(facts && { facts }) })
  }

  /** Gives free threads work. */
  function hand(): void {
    while (queue.size > 0 && pool.free() > 0) {
      const files = firstOf(queue, AT_ONCE)
      for (const file of files) queue.delete(file)
      void parse(files)
    }
    tellWaiting()
  }

  async function parse(files: readonly TreeFile[]): Promise<void> {
    const parsed = await pool.parse(files.map(({ path, stamp }) => ({ path, stamp })))
    for (const [at, file] of files.entries()) {
      const found = parsed[at]
      if (found) take(file, found)
    }
    hand()
  }

  /** True where everything that happened before the call is in the table. */
  async function caughtUp(): Promise<boolean> {
    const { state } = await tree.settle()
    if (state === 'current' && isLoaded && pending.size === 0) return true
    return withPatience()
  }

  async function withPatience(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(() => resolve(false), patienceMs)
    })
    const inTime = Promise.all([loaded, tree.caughtUp()])
      .then(parsedAll)
      .then(() => !isClosed)
    const current = await Promise.race([late, inTime])
    clearTimeout(timer)
    return current
  }

  function parsedAll(): Promise<void> | undefined {
    if (pending.size === 0 || isClosed) return undefined
    return new Promise(resolve => waiting.add(resolve))
  }

  function tellWaiting(): void {
    if (pending.size > 0) return
    for (const tell of waiting) tell()
    waiting.clear()
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

function firstOf<T>(set: ReadonlySet<T>, most: number): T[] {
  const first: T[] = []
  for (const each of set) {
    first.push(each)
    if (first.length === most) break
  }
  return first
}
