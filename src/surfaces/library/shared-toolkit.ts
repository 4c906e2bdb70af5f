import { realpathSync, statSync } from 'node:fs'
import { createShared, openToolkit, type Shared, type Toolkit } from '../../toolkit.ts'

const IDLE_MS = 5_000

/** What the calls of a program on one directory have in common; kept while its toolkit is closed. */
const common = new Map<string, Shared>()

interface Open {
  readonly kit: Promise<Toolkit>
  users: number
  idle: NodeJS.Timeout | undefined
}

const open = new Map<string, Open>()

/**
 * Works with the toolkit of a directory, which stays open between the calls of a program and is closed when idle.
 * It is known by the directory's identity: another directory that comes to lie at the same path is another workspace.
 */
export async function withToolkit<T>(
  directory: string,
  work: (kit: Toolkit, shared: Shared) => Promise<T>,
): Promise<T> {
  const path = realpathSync(directory)
  const { ino, birthtimeMs } = statSync(path)
  const key = `${path}\0${ino}\0${birthtimeMs}`
  const held: Open = open.get(key) ?? { kit: openToolkit({ root: path }), users: 0, idle: undefined }
  open.set(key, held)
  // What kept it from opening may be mended by the next call.
  held.kit.catch(() => open.get(key) === held && open.delete(key))
  const shared = common.get(key) ?? createShared()
  common.set(key, shared)
  clearTimeout(held.idle)
  held.users++
  try {
    return await work(await held.kit, shared)
  } finally {
    if (--held.users === 0) held.idle = setTimeout(() => close(key, held), IDLE_MS).unref()
  }
}

function close(key: string, held: Open): void {
  open.delete(key)
  // One that never opened has nothing to close, and its failure was told to whoever asked for it.
  held.kit.then(
    kit => kit.close().catch(warn),
    () => {},
  )
}

/** Nobody waits for an idle toolkit to close: a state directory that is gone by then must not end the program. */
function warn(error: unknown): void {
  process.emitWarning(`Toolwright could not close an idle workspace: ${String(error)}`)
}
