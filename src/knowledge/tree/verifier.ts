import { setTimeout as pause } from 'node:timers/promises'
import { foldersOf, type Folder } from './folder.ts'
import { createStatThreads, type SharedStat } from './stat/stat-threads.ts'
import type { WorkQueue } from './work-queue.ts'

/** Looks at every directory and file of a tree, regardless of its watchers. */
interface Verifier {
  /** Resolves when everything was looked at after the call, or the system refused and the queue is not empty. */
  verify(): Promise<void>
  /** Returns true if the files of a directory are looked at together with all others. */
  leaveFiles(folder: Folder): boolean
  close(): void
}

interface VerifierParts {
  readonly top: Folder
  /** The root's path as bytes: the shortest path to files whose identity is checked anyway. */
  readonly rootPath: () => string
  readonly queue: Pick<WorkQueue, 'enqueue' | 'mark'>
  /** Works until the queue is empty or the system refuses. */
  readonly run: () => Promise<void>
  readonly isClosed: () => boolean
}

/** Longest time that the event loop is blocked. */
const SLICE_MS = 20
/** Turns after which another thread is mostly done. */
const SOON = 20
/** This many files need no other thread. */
const FEW = 2_000

export function createVerifier({ top, rootPath, queue, run, isClosed }: VerifierParts): Verifier {
  const threads = createStatThreads()
  let pendingFolders: Folder[] | undefined
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined

  /** A look that began before the request is too old for it; all waiting requests share the next. */
  function verify(): Promise<void> {
    if (current) return (next ??= current.then(again, again))
    current = round().finally(() => (current = undefined))
    return current
  }

  function again(): Promise<void> {
    next = undefined
    return verify()
  }

  async function round(): Promise<void> {
    const look = threads.begin(`${rootPath()}/`)
    pendingFolders = look && []
    queue.enqueue(top, 'verify')
    await run()
    const folders = pendingFolders ?? []
    pendingFolders = undefined
    if (look) await compare(look, folders)
    setImmediate(share)
  }

  async function compare(look: SharedStat, folders: readonly Folder[]): Promise<void> {
    await inSlices(look.on)
    for (let turns = 0; look.state() === 'looking'; turns++) await (turns < SOON ? turn() : pause(1))
    const isDone = look.state() === 'over'
    const rest = folders.values()
    await inSlices(() => {
      const { value: folder } = rest.next()
      if (folder === undefined || isClosed()) return false
      if (!isDone || folder.looked === undefined) queue.enqueue(folder, 'list')
      else compareFiles(look, folder, folder.looked)
      return true
    })
    await run()
  }

  function compareFiles(look: SharedStat, folder: Folder, first: number): void {
    let place = first
    for (const [name, knownFile] of folder.files) if (!look.isSame(place++, knownFile)) queue.mark(folder, name)
  }

  /** Assigns files to other threads, if there are many that they do not know. */
  function share(): void {
    if (isClosed()) return
    let unknown = 0
    for (const { files, looked } of foldersOf(top)) if (looked === undefined) unknown += files.size
    if (unknown > FEW && current === undefined) threads.assign(foldersOf(top))
  }

  return {
    verify,
    leaveFiles(folder) {
      if (pendingFolders === undefined || folder.looked === undefined) return false
      pendingFolders.push(folder)
      return true
    },
    close: threads.close,
  }
}

/** Continues while there is work, with a turn of the event loop in between. */
async function inSlices(work: () => boolean): Promise<void> {
  for (let end = performance.now() + SLICE_MS; work();)
    if (performance.now() > end) {
      await turn()
      end = performance.now() + SLICE_MS
    }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
