import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '../../kernel/error.ts'
import { errnoOf } from '../../machine/workspace/disk-error.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { createCatalog, type Catalog, type KnownFile } from './catalog.ts'
import { foldersOf, newFolder, type Folder } from './folder.ts'
import { rulesChanged } from './folder-rules.ts'
import { whereIs } from './held-folder.ts'
import { outsideRules } from './ignore/outside-rules.ts'
import type { Rules } from './ignore/rules.ts'
import { userPlaces, type UserPlaces } from './ignore/user-places.ts'
import type { SavedTree } from './saved-tree.ts'
import type { SyncParts } from './sync-folder.ts'
import type { Tree, TreeState } from './tree.ts'
import { takeImage, type TakenImage } from './tree-image.ts'
import { treeWatchers, type TreeWatchers } from './tree-watchers.ts'
import { whenFlooded } from './watch-place.ts'
import { createVerifier } from './verifier.ts'
import { createWorkQueue } from './work-queue.ts'

/** A tree whose files can be saved. */
export interface DiskTree extends Tree {
  files(): ReadonlyMap<string, KnownFile>
  /** Reason why it will never be current again, or undefined. */
  defect(): string | undefined
  /** Reports whether this user may not read some directory: a scan names it, the file list cannot. */
  isRefused(): boolean
  /** Returns an image by which a later process can tell what changed; undefined if that is uncertain. */
  image(leaveOut: (path: string) => boolean): TakenImage | undefined
}

export interface TreeOptions {
  /** Files known to an earlier process. Only those changed since are reported. */
  readonly saved?: SavedTree | undefined
  /** Most directories, and files with several names, to watch. In a larger workspace every request stats every file. */
  readonly mostWatched?: number
  /** Locations of the user's ignore rules; by default as this process finds them. */
  readonly user?: UserPlaces | undefined
}

/** Longest time that the event loop is blocked. */
const SLICE_MS = 20
/** How long an answer waits for the list; beyond it a scan is faster. */
const MOST_SLICES = 3
/** More changes than this are processed in the background. */
const MOST_AT_ONCE = 2_000
/** Changes are processed after this delay if no request comes, so that the next one has little to do. */
const IDLE_MS = 25
/** Delay after the system ran out of descriptors or memory. */
const RETRY_MS = 100

/**
 * Lists the files of a workspace in the background and keeps the list current. The caller closes the root, after the
 * tree. Until the first look is over, `settle` reports that it is behind.
 */
export function openTree(root: Pick<Root, 'fd'>, options: TreeOptions = {}): DiskTree {
  const tree = new WatchedTree(root, options)
  // Closures and no methods, because callers spread a tree to hide some of its files.
  return {
    version: tree.catalog.version,
    files: () => tree.catalog.files,
    defect: () => tree.defect(),
    isRefused: () => tree.isRefused(),
    image: leaveOut => tree.image(leaveOut),
    onChange: tree.catalog.onChange,
    settle: how => tree.settle(how),
    caughtUp: () => tree.caughtUp(),
    close: () => tree.close(),
  }
}

class WatchedTree implements Omit<DiskTree, 'version' | 'files' | 'onChange'> {
  readonly catalog: Catalog
  readonly #root: Pick<Root, 'fd'>
  readonly #saved: SavedTree | undefined
  readonly #above: ReturnType<typeof outsideRules>
  readonly #top = newFolder(undefined, '', '')
  readonly #queue = createWorkQueue()
  readonly #watchers: TreeWatchers
  /** Directories with rules in places that report no changes. */
  readonly #rulesElsewhere = new Set<Folder>()
  #rootPath: string
  #outsideStamp: string
  #outside: Rules
  #firstLook = true
  #closed = false
  /** The list may be wrong from here on, and is never reported as current again. */
  #defect: string | undefined
  readonly #refused = new Set<Folder>()
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #parts: SyncParts
  readonly #verifier: ReturnType<typeof createVerifier>
  readonly #unflood: () => void

  constructor(root: Pick<Root, 'fd'>, { saved, mostWatched = 200_000, user }: TreeOptions) {
    this.#root = root
    this.#saved = saved
    this.catalog = createCatalog(saved?.files)
    this.#above = outsideRules(user ?? userPlaces())
    this.#rootPath = whereIs(root.fd)
    this.#outsideStamp = this.#above.stamp(this.#rootPath)
    this.#outside = this.#above.read(this.#rootPath)
    this.#watchers = treeWatchers({
      root,
      top: this.#top,
      most: mostWatched,
      onEvent: (folder, name) => this.#onEvent(folder, name),
    })
    this.#parts = {
      rootFd: root.fd,
      rootPath: () => this.#rootPath,
      catalog: this.catalog,
      outside: () => this.#outside,
      watch: this.#watchers.watch,
      watchFile: this.#watchers.watchFile,
      enqueue: this.#queue.enqueue,
      mark: this.#queue.mark,
      leaveFiles: folder => this.#verifier.leaveFiles(folder),
      refused: this.#refused,
      askForRules: folder => this.#rulesElsewhere.add(folder),
    }
    this.#verifier = createVerifier({
      top: this.#top,
      rootPath: () => this.#rootPath,
      queue: this.#queue,
      run: () => this.#run(),
      isClosed: () => this.#closed,
    })
    this.#unflood = whenFlooded(() => {
      this.#queue.enqueue(this.#top, 'verify')
      void this.#run()
    })
    this.#queue.enqueue(this.#top, 'all')
    // Deferred, so that listeners can subscribe first.
    setImmediate(() => void this.#run())
  }

  defect(): string | undefined {
    return this.#defect
  }

  isRefused(): boolean {
    return this.#refused.size > 0
  }

  image(leaveOut: (path: string) => boolean): TakenImage | undefined {
    return this.#firstLook ||
      this.#closed ||
      this.#defect !== undefined ||
      this.#queue.size() > 0 ||
      this.#refused.size > 0
      ? undefined
      : takeImage(this.#top, this.#outsideStamp, leaveOut)
  }

  async settle({ strict = false }: { readonly strict?: boolean } = {}): Promise<TreeState> {
    await barrier()
    if (this.#closed || !this.#attempt(() => this.#checkRules())) return this.#behind()
    if (strict || !this.#watchers.areComplete()) {
      await this.#verifier.verify()
      const isCurrent = this.#queue.size() === 0 && !this.#closed && this.#defect === undefined
      return isCurrent ? { state: 'current', checked: 'stat' } : this.#behind()
    }
    for (let slices = 0; this.#queue.size() > 0; slices++) {
      if (slices === MOST_SLICES || this.#queue.size() > MOST_AT_ONCE) return this.#behind()
      if (slices > 0) await turn()
      if (!this.#slice(slices === 0)) return this.#behind()
    }
    return { state: 'current', checked: 'watch' }
  }

  async caughtUp(): Promise<void> {
    await barrier()
    while (this.#hasWork()) {
      await this.#run()
      if (this.#queue.size() > 0) await pause(RETRY_MS)
    }
    if (this.#defect !== undefined)
      throw new ToolError('internal', `The list of files cannot be kept current: ${this.#defect}`)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#unflood()
    this.#queue.clear()
    this.#verifier.close()
    this.#watchers.close()
  }

  #hasWork(): boolean {
    return this.#queue.size() > 0 && !this.#closed && this.#defect === undefined
  }

  #behind() {
    const pending = Math.max(1, this.#queue.size())
    void this.#run()
    return { state: 'behind', pending, ...(this.#defect !== undefined && { why: this.#defect }) } as const
  }

  #onEvent(folder: Folder, name: string | undefined): void {
    if (this.#closed || this.#defect !== undefined || folder.gone) return
    if (name === undefined) this.#queue.enqueue(folder, 'verify')
    else this.#queue.mark(folder, name)
    if (this.#queue.size() > MOST_AT_ONCE) void this.#run()
    else this.#runAfter(IDLE_MS)
  }

  /** Rules above the workspace are not watched: a few stats are cheaper than the events of busy directories. */
  #checkRules(): void {
    this.#rootPath = whereIs(this.#root.fd)
    const stamp = this.#above.stamp(this.#rootPath)
    if (stamp !== this.#outsideStamp) {
      this.#outside = this.#above.read(this.#rootPath)
      this.#outsideStamp = stamp
      this.#queue.enqueue(this.#top, 'all')
    }
    for (const folder of this.#rulesElsewhere) {
      if (folder.gone || !folder.rulesElsewhere) this.#rulesElsewhere.delete(folder)
      else if (rulesChanged(this.#parts, folder)) this.#queue.enqueue(folder, 'list')
    }
  }

  /** If a request comes first, nothing is left to do; letting the timer fire is cheaper than clearing it. */
  #runAfter(ms: number): void {
    this.#timer ??= setTimeout(() => this.#onTimer(), ms).unref()
  }

  #onTimer(): void {
    this.#timer = undefined
    if (this.#hasWork()) void this.#run()
  }

  /** Works until the queue is empty or the system refuses, yielding to the event loop between slices. */
  #run(): Promise<void> {
    this.#running ??= this.#work().finally(() => (this.#running = undefined))
    return this.#running
  }

  async #work(): Promise<void> {
    while (this.#slice() && this.#queue.size() > 0) await turn()
    if (this.#hasWork()) this.#runAfter(RETRY_MS)
  }

  /** Returns false if the system refused. The path of the root may be a moment old. */
  #slice(knowsRoot = false): boolean {
    if (this.#closed || this.#defect !== undefined) return false
    const end = performance.now() + SLICE_MS
    const went = this.#attempt(() => {
      if (!knowsRoot) this.#rootPath = whereIs(this.#root.fd)
      while (performance.now() < end) if (!this.#queue.work(this.#parts)) break
    })
    if (this.#firstLook && went && this.#queue.size() === 0) this.#endFirstLook()
    try {
      this.catalog.tell()
    } catch (error) {
      // A listener missed some of the changes.
      this.#fail(error)
    }
    return went && this.#defect === undefined
  }

  /** Returns false if the system refused, perhaps temporarily. Other errors are defects, but do not end the process. */
  #attempt(act: () => void): boolean {
    try {
      act()
      return this.#defect === undefined
    } catch (error) {
      if (!/^E(?!RR_)[A-Z0-9]+$/.test(errnoOf(error) ?? '')) this.#fail(error)
      return false
    }
  }

  #fail(error: unknown): void {
    this.#defect ??= error instanceof Error ? error.message : String(error)
    this.#watchers.close()
  }

  /** Files of the saved list that no longer exist. */
  #endFirstLook(): void {
    this.#firstLook = false
    if (this.#saved === undefined) return
    const listedPaths = new Set<string>()
    for (const folder of foldersOf(this.#top)) for (const file of folder.files.values()) listedPaths.add(file.path)
    for (const { path } of this.#saved.files) if (!listedPaths.has(path)) this.catalog.remove(path)
  }
}

/** Events arrive in the poll phase of the loop: two turns contain a whole one after the request. */
async function barrier(): Promise<void> {
  await turn()
  await turn()
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
