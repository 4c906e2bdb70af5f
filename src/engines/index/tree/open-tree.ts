import { userInfo } from 'node:os'
import type { Root } from '../../workspace/root.ts'
import { createCatalog } from './catalog.ts'
import { newFolder, type Folder } from './folder.ts'
import { whereIs } from './held-folder.ts'
import { outsideRules, outsideStamp } from './ignore/outside-rules.ts'
import type { SavedTree } from './saved-tree.ts'
import { syncFolder, syncName, type Depth, type SyncParts } from './sync-folder.ts'
import type { Tree, TreeState } from './tree.ts'
import { watchFolder, whenFlooded } from './watch-folder.ts'

export interface TreeOptions {
  /** Files that an earlier process knew: they are told of only if they changed since. */
  readonly saved?: SavedTree
  /** Directories to watch at most; in a larger workspace every question looks at every file first. */
  readonly mostWatched?: number
}

/** Longest that the event loop is kept from other things. */
const SLICE_MS = 20
/** More than this is caught up in the background. */
const MOST_AT_ONCE = 2_000
/** Changes that nobody asks about are looked at after this, so that the next question finds little to do. */
const IDLE_MS = 25

/**
 * Lists the files of a workspace in the background and keeps the list up. The root stays the caller's to close, after
 * the tree. Until the first look is over `settle` says that it is behind.
 */
export function openTree(root: Pick<Root, 'fd'>, { saved, mostWatched = 200_000 }: TreeOptions = {}): Tree {
  const catalog = createCatalog(saved?.files, saved?.racy)
  const home = homeDirectory()
  const top = newFolder(undefined, '', '')
  /** Directories to look at, and names in them. */
  const folders = new Map<Folder, Depth>()
  const names = new Map<Folder, Set<string>>()
  let nameCount = 0
  let outside = outsideRules(whereIs(root.fd), home)
  let outsideIs = outsideStamp(whereIs(root.fd), home)
  let unlisted = saved === undefined ? undefined : new Set(catalog.files.keys())
  let watched = 0
  let watching = true
  let closed = false
  let running: Promise<void> | undefined
  let idle: NodeJS.Timeout | undefined
  const unflood = whenFlooded(() => {
    enqueue(top, 'verify')
    void run()
  })
  const parts: SyncParts = { rootFd: root.fd, catalog, outside: () => outside, watch, enqueue, mark }
  enqueue(top, 'all')
  void run()

  return {
    version: catalog.version,
    files: () => catalog.files,
    racy: () => catalog.racy,
    onChange: catalog.onChange,
    async settle({ strict = false } = {}) {
      await turn()
      await turn()
      if (closed) return { state: 'behind', pending: 0 }
      checkOutside()
      if (strict || !watching) {
        enqueue(top, 'verify')
        await run()
        return { state: 'current', checked: 'stat' }
      }
      if (pending() <= MOST_AT_ONCE) slice()
      if (pending() === 0) return { state: 'current', checked: 'watch' }
      void run()
      return { state: 'behind', pending: pending() } satisfies TreeState
    },
    async caughtUp() {
      await turn()
      await turn()
      if (pending() > 0 || running !== undefined) await run()
    },
    close() {
      closed = true
      clearTimeout(idle)
      unflood()
      folders.clear()
      names.clear()
      nameCount = 0
      closeWatchers(top)
    },
  }

  function pending(): number {
    return folders.size + nameCount
  }

  function enqueue(folder: Folder, depth: Depth): void {
    const known = folders.get(folder)
    if (closed) return
    if (known === undefined || ORDER[depth] > ORDER[known]) folders.set(folder, depth)
  }

  function watch(folder: Folder, fd: number): void {
    if (!watching || folder.watcher !== undefined) return
    if (watched >= mostWatched) return stopWatching()
    const watcher = watchFolder(fd, name => mark(folder, name))
    if (watcher === 'none left') return stopWatching()
    if (watcher === 'failed') return
    watched++
    watcher.on('close', () => watched--)
    folder.watcher = watcher
  }

  function stopWatching(): void {
    watching = false
    closeWatchers(top)
  }

  function mark(folder: Folder, name: string | undefined): void {
    if (closed || folder.gone) return
    if (name === undefined) enqueue(folder, 'verify')
    else {
      let marked = names.get(folder)
      if (marked === undefined) names.set(folder, (marked = new Set()))
      if (!marked.has(name)) nameCount++
      marked.add(name)
    }
    if (nameCount > MOST_AT_ONCE) void run()
    else idle ??= setTimeout(() => void run(), IDLE_MS).unref()
  }

  /** Rules above the workspace are not watched: a few looks are cheaper than the noise of busy directories. */
  function checkOutside(): void {
    const at = whereIs(root.fd)
    const stamp = outsideStamp(at, home)
    if (stamp === outsideIs) return
    outside = outsideRules(at, home)
    outsideIs = stamp
    enqueue(top, 'all')
  }

  /** Works until nothing is left to look at, with a turn of the event loop between slices. */
  function run(): Promise<void> {
    clearTimeout(idle)
    idle = undefined
    running ??= (async () => {
      while (pending() > 0) {
        slice()
        await turn()
      }
      running = undefined
    })()
    return running
  }

  function slice(): void {
    const end = performance.now() + SLICE_MS
    while (performance.now() < end) {
      if (!lookAtFolder() && !lookAtName()) break
    }
    if (unlisted !== undefined && folders.size === 0) forgetUnlisted(unlisted)
    catalog.tell()
  }

  function lookAtFolder(): boolean {
    for (const [folder, depth] of folders) {
      folders.delete(folder)
      if (!folder.gone) syncFolder(parts, folder, depth)
      return true
    }
    return false
  }

  function lookAtName(): boolean {
    for (const [folder, marked] of names) {
      for (const name of marked) {
        marked.delete(name)
        nameCount--
        if (!folder.gone) syncName(parts, folder, name)
        return true
      }
      names.delete(folder)
    }
    return false
  }

  /** After the first look: files that were known before and are no longer there. */
  function forgetUnlisted(known: Set<string>): void {
    unlisted = undefined
    const listed = new Set<string>()
    const pendingFolders = [top]
    for (let folder = pendingFolders.pop(); folder !== undefined; folder = pendingFolders.pop()) {
      for (const file of folder.files.values()) listed.add(file.path)
      pendingFolders.push(...folder.folders.values())
    }
    for (const path of known) if (!listed.has(path)) catalog.remove(path)
  }
}

const ORDER = { list: 0, verify: 1, all: 2 } as const

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

function closeWatchers(top: Folder): void {
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    folder.watcher?.close()
    folder.watcher = undefined
    pending.push(...folder.folders.values())
  }
}

/** The one that ripgrep, started without HOME, finds. */
function homeDirectory(): string | undefined {
  try {
    return Buffer.from(userInfo().homedir).toString('latin1')
  } catch {
    return undefined
  }
}
