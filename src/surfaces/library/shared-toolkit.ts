import { realpathSync, statSync } from 'node:fs'
import { openToolkit, type Toolkit } from '../../toolkit.ts'

const IDLE_MS = 5_000

interface Shared {
  readonly kit: Promise<Toolkit>
  users: number
  idle: NodeJS.Timeout | undefined
}

const open = new Map<string, Shared>()

/**
 * Works with the toolkit of a directory, which stays open between the calls of a program and is closed when idle.
 * It is known by the directory's identity: another directory that comes to lie at the same path is another workspace.
 */
export async function withToolkit<T>(directory: string, work: (kit: Toolkit) => Promise<T>): Promise<T> {
  const path = realpathSync(directory)
  const { ino, birthtimeMs } = statSync(path)
  const key = `${path}\0${ino}\0${birthtimeMs}`
  const shared: Shared = open.get(key) ?? { kit: openToolkit({ root: path }), users: 0, idle: undefined }
  open.set(key, shared)
  clearTimeout(shared.idle)
  shared.users++
  try {
    return await work(await shared.kit)
  } finally {
    if (--shared.users === 0) shared.idle = setTimeout(() => close(key, shared), IDLE_MS).unref()
  }
}

function close(key: string, shared: Shared): void {
  open.delete(key)
  // One that never opened has nothing to close, and its failure was told to whoever asked for it.
  shared.kit.then(
    kit => kit.close(),
    () => {},
  )
}
