import type { FSWatcher } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '../../kernel/error.ts'
import { errnoOf } from '../../machine/workspace/disk-error.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { createCatalog, type KnownFile } from './catalog.ts'
import { foldersOf, newFolder, type Folder } from './folder.ts'
import { diskPath } from './disk-path.ts'
import { unfollow } from './linked-files.ts'
import { rulesChanged } from './folder-rules.ts'
import { whereIs } from './held-folder.ts'
import { outsideRules } from './ignore/outside-rules.ts'
import { userPlaces, type UserPlaces } from './ignore/user-places.ts'
import type { SavedTree } from './saved-tree.ts'
import type { SyncParts } from './sync-folder.ts'
import type { Tree } from './tree.ts'
import { takeImage, type TakenImage } from './tree-image.ts'
import { watchPlace, whenFlooded } from './watch-place.ts'
import { createVerifier } from './verifier.ts'
import { createWorkQueue } from './work-queue.ts'

/** A tree whose files can be saved. */
export interface DiskTree extends Tree {
  files(): ReadonlyMap<string, KnownFile>
  /** Why it will never be current again; undefined as long as it can be. */
  defect(): string | undefined
  /** Reports whether some directory may not be read by this user: a scan names it, the list of files cannot. */
  isRefused(): boolean
  /** What tells a later process that nothing changed; undefined if it could not be sure, or something is still to be looked at. */
  image(leaveOut: (path: string) => boolean): TakenImage | undefined
}

export interface TreeOptions {
  /** Files that an earlier process knew: they are told of only if they changed since. */
  readonly saved?: SavedTree | undefined
  /** Directories, and files with several names, to watch at most; in a larger workspace every question looks at every file first. */
  readonly mostWatched?: number
  /** Where the user's own ignore rules are; as this process finds them unless given. */
  readonly user?: UserPlaces | undefined
}

/** Longest that the event loop is kept from other things. */
const SLICE_MS = 20
/** So long an answer waits for the list; past it a scan is quicker. */
const MOST_SLICES = 3
/** More than this is caught up in the background. */
const MOST_AT_ONCE = 2_000
/** Changes that nobody asks about are looked at after this, so that the next question finds little to do. */
const IDLE_MS = 25
/** The system had no descriptor or memory to spare: it may have some soon. */
const RETRY_MS = 100

/**
 * Lists the files of a workspace in the background and keeps the list up. The root stays the caller's to close, after
 * the tree. Until the first look is over `settle` says that it is behind.
 */
export function openTree(root: Pick<Root, 'fd'>, options: TreeOptions = {}): DiskTree {
  const { saved, mostWatched = 200_000 } = options
  const catalog = createCatalog(saved?.files)
  const above = outsideRules(options.user ?? userPlaces())
  const top = newFolder(undefined, '', '')
  const queue = createWorkQueue()
  /** Directories whose rules are partly where nothing tells of a change. */
  const rulesElsewhere = new Set<Folder>()
  let rootPath = whereIs(root.fd)
  let outsideStamp = above.stamp(rootPath)
  let outside = above.read(rootPath)
  let firstLook = true
  let watched = 0
  let watching = true
  let closed = false
  /** What is known may be wrong from here on, and is never vouched for again. */
  let defect: string | undefined
  const refused = new Set<Folder>()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const parts: SyncParts = {
    rootFd: root.fd,
    rootPath: () => rootPath,
    catalog,
    outside: () => outside,
    watch,
    watchFile,
    enqueue: queue.enqueue,
    mark: queue.mark,
    leaveFiles: folder => verifier.leaveFiles(folder),
    refused,
    askForRules: folder => rulesElsewhere.add(folder),
  }
  const verifier = createVerifier({ top, rootPath: () => rootPath, queue, run, isClosed: () => closed })
  const unflood = whenFlooded(() => {
    queue.enqueue(top, 'verify')
    void run()
  })
  queue.enqueue(top, 'all')
  // Not at once, so that whoever wants to hear of the files can say so first.
  setImmediate(() => void run())

  return {
    version: catalog.version,
    files: () => catalog.files,
    defect: () => defect,
    isRefused: () => refused.size > 0,
    image: leaveOut =>
      firstLook || closed || defect !== undefined || queue.size() > 0 || refused.size > 0
        ? undefined
        : takeImage(top, outsideStamp, leaveOut),
    onChange: catalog.onChange,
    async settle({ strict = false } = {}) {
      await barrier()
      if (closed || !attempt(checkRules)) return behind()
      if (strict || !watching) {
        await verifier.verify()
        return queue.size() === 0 && !closed && defect === undefined ? { state: 'current', checked: 'stat' } : behind()
      }
      for (let slices = 0; queue.size() > 0; slices++) {
        if (slices === MOST_SLICES || queue.size() > MOST_AT_ONCE) return behind()
        if (slices > 0) await turn()
        if (!slice(slices === 0)) return behind()
      }
      return { state: 'current', checked: 'watch' }
    },
    async caughtUp() {
      await barrier()
      while (hasWork()) {
        await run()
        if (queue.size() > 0) await pause(RETRY_MS)
      }
      if (defect !== undefined) throw new ToolError('internal', `The list of files cannot be kept up: ${defect}`)
    },
    close() {
      closed = true
      clearTimeout(timer)
      unflood()
      queue.clear()
      verifier.close()
      closeWatchers()
    },
  }

  function hasWork(): boolean {
    return queue.size() > 0 && !closed && defect === undefined
  }

  function behind() {
    const pending = Math.max(1, queue.size())
    void run()
    return { state: 'behind', pending, ...(defect !== undefined && { why: defect }) } as const
  }

  function watch(folder: Folder, fd: number): void {
    if (!watching || folder.watcher !== undefined) return
    folder.watcher = watcherOf(`/proc/self/fd/${fd}`, name => onEvent(folder, name))
  }

  function watchFile(folder: Folder, name: string): FSWatcher | undefined {
    if (!watching) return undefined
    return watcherOf(diskPath(`/proc/self/fd/${root.fd}/${folder.bytes}${name}`), () => onEvent(folder, name))
  }

  function watcherOf(path: string | Buffer, onName: (name: string | undefined) => void): FSWatcher | undefined {
    const watcher = watched < mostWatched ? watchPlace(path, onName) : 'none left'
    if (watcher === 'forbidden') return undefined
    if (watcher === 'none left') {
      watching = false
      closeWatchers()
      return undefined
    }
    watched++
    watcher.once('close', () => watched--)
    return watcher
  }

  function onEvent(folder: Folder, name: string | undefined): void {
    if (closed || defect !== undefined || folder.gone) return
    if (name === undefined) queue.enqueue(folder, 'verify')
    else queue.mark(folder, name)
    if (queue.size() > MOST_AT_ONCE) void run()
    else runAfter(IDLE_MS)
  }

  /** Rules above the workspace are not watched: a few looks are cheaper than the noise of busy directories. */
  function checkRules(): void {
    rootPath = whereIs(root.fd)
    const stamp = above.stamp(rootPath)
    if (stamp !== outsideStamp) {
      outside = above.read(rootPath)
      outsideStamp = stamp
      queue.enqueue(top, 'all')
    }
    for (const folder of rulesElsewhere) {
      if (folder.gone || !folder.rulesElsewhere) rulesElsewhere.delete(folder)
      else if (rulesChanged(parts, folder)) queue.enqueue(folder, 'list')
    }
  }

  /** A question that comes first leaves it nothing to do: to let it pass takes less time than to take it back. */
  function runAfter(ms: number): void {
    timer ??= setTimeout(onTimer, ms).unref()
  }

  function onTimer(): void {
    timer = undefined
    if (hasWork()) void run()
  }

  /** Works until nothing is left to look at or the system refuses, with a turn of the event loop between slices. */
  function run(): Promise<void> {
    running ??= work().finally(() => (running = undefined))
    return running
  }

  async function work(): Promise<void> {
    while (slice() && queue.size() > 0) await turn()
    if (hasWork()) runAfter(RETRY_MS)
  }

  /** False if the system refused to go on. Where the root is may be known a moment ago. */
  function slice(knowsRoot = false): boolean {
    if (closed || defect !== undefined) return false
    const end = performance.now() + SLICE_MS
    const went = attempt(() => {
      if (!knowsRoot) rootPath = whereIs(root.fd)
      while (performance.now() < end) if (!queue.work(parts)) break
    })
    if (firstLook && went && queue.size() === 0) endFirstLook()
    try {
      catalog.tell()
    } catch (error) {
      // Somebody was not told, or only in part.
      fail(error)
    }
    return went && defect === undefined
  }

  /** False if the system refused, which may be over soon; anything else is a defect, which ends nobody's process. */
  function attempt(act: () => void): boolean {
    try {
      act()
      return defect === undefined
    } catch (error) {
      if (!/^E(?!RR_)[A-Z0-9]+$/.test(errnoOf(error) ?? '')) fail(error)
      return false
    }
  }

  function fail(error: unknown): void {
    defect ??= error instanceof Error ? error.message : String(error)
    closeWatchers()
  }

  /** Files that were known from before and are no longer there. */
  function endFirstLook(): void {
    firstLook = false
    if (saved === undefined) return
    const listed = new Set<string>()
    for (const folder of foldersOf(top)) for (const file of folder.files.values()) listed.add(file.path)
    for (const { path } of saved.files) if (!listed.has(path)) catalog.remove(path)
  }

  function closeWatchers(): void {
    for (const folder of foldersOf(top)) {
      folder.watcher?.close()
      folder.watcher = undefined
      for (const name of folder.linked?.keys() ?? []) unfollow(folder, name)
    }
  }
}

/** Events reach us in the poll phase of the loop: after two turns a whole one began after the question. */
async function barrier(): Promise<void> {
  await turn()
  await turn()
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
