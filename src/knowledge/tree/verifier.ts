import { setTimeout as pause } from 'node:timers/promises'
import { foldersOf, type Folder } from './folder.ts'
import { createLookers, type Look } from './look/lookers.ts'
import type { WorkQueue } from './work-queue.ts'

/** Looks at every directory and every file of a tree, whatever its watchers told. */
interface Verifier {
  /** Comes back when everything was looked at after the call, or the system refused and the queue is not empty. */
  verify(): Promise<void>
  /** True if the files of a directory are looked at with all others. */
  leaveFiles(folder: Folder): boolean
  close(): void
}

interface VerifierParts {
  readonly top: Folder
  /** Where the root is, as bytes: the shortest way to files that are known to be the same by more than their paths. */
  readonly rootPath: () => string
  readonly queue: Pick<WorkQueue, 'enqueue' | 'mark'>
  /** Works until the queue is empty or the system refuses. */
  readonly run: () => Promise<void>
  readonly isClosed: () => boolean
}

/** Longest that the event loop is kept from other things. */
const SLICE_MS = 20
/** Another thread is mostly done after as many turns. */
const SOON = 20
/** As many files that no other thread looks at are no matter. */
const FEW = 2_000

export function createVerifier({ top, rootPath, queue, run, isClosed }: VerifierParts): Verifier {
  const lookers = createLookers()
  let left: Folder[] | undefined
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined

  /** A look that began before the question is of no use to it; all that wait share the next. */
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
    const look = lookers.begin(`${rootPath()}/`)
    left = look && []
    queue.enqueue(top, 'verify')
    await run()
    const folders = left ?? []
    left = undefined
    if (look) await compare(look, folders)
    setImmediate(share)
  }

  async function compare(look: Look, folders: readonly Folder[]): Promise<void> {
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

  function compareFiles(look: Look, folder: Folder, first: number): void {
    let place = first
    for (const [name, known] of folder.files) if (!look.isSame(place++, known)) queue.mark(folder, name)
  }

  /** Tells other threads of the files, where there are many that they do not know of. */
  function share(): void {
    if (isClosed()) return
    let unknown = 0
    for (const { files, looked } of foldersOf(top)) if (looked === undefined) unknown += files.size
    if (unknown > FEW && current === undefined) lookers.assign(foldersOf(top))
  }

  return {
    verify,
    leaveFiles(folder) {
      if (left === undefined || folder.looked === undefined) return false
      left.push(folder)
      return true
    },
    close: lookers.close,
  }
}

/** Goes on as long as there is something to do, with a turn of the event loop in between. */
async function inSlices(work: () => boolean): Promise<void> {
  for (let end = performance.now() + SLICE_MS; work();)
    if (performance.now() > end) {
      await turn()
      end = performance.now() + SLICE_MS
    }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
