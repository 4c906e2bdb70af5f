import { realpathSync, statSync } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { errnoOf } from '../../machine/workspace/disk-error.ts'
import { createShared, openToolkit, type Shared, type Toolkit } from '../../toolkit.ts'

const IDLE_MS = 5_000

/** State that a program's calls on one directory share; kept while the toolkit is closed. */
const common = new Map<string, Shared>()

interface Open {
  readonly kit: Promise<Toolkit>
  users: number
  idle: NodeJS.Timeout | undefined
}

const open = new Map<string, Open>()

/**
 * Runs work with the toolkit of a directory. The toolkit stays open between calls and is closed when idle. Its key is
 * the directory's identity: another directory at the same path is another workspace.
 */
export async function withToolkit<T>(
  directory: string,
  work: (kit: Toolkit, shared: Shared) => Promise<T>,
): Promise<T> {
  const path = existingDirectory(directory)
  const { ino, birthtimeMs } = statSync(path)
  const key = `${path}\0${ino}\0${birthtimeMs}`
  const entry: Open = open.get(key) ?? { kit: openToolkit({ root: path }), users: 0, idle: undefined }
  open.set(key, entry)
  // The next call may succeed in opening it.
  entry.kit.catch(() => open.get(key) === entry && open.delete(key))
  const sharedState = common.get(key) ?? createShared()
  common.set(key, sharedState)
  clearTimeout(entry.idle)
  entry.users++
  try {
    return await work(await entry.kit, sharedState)
  } finally {
    if (--entry.users === 0) entry.idle = setTimeout(() => close(key, entry), IDLE_MS).unref()
  }
}

/** Returns the real path. Programs without types can pass anything. */
function existingDirectory(directory: unknown): string {
  const wrong = (why: string) =>
    new ToolError('invalid_input', `The working directory ${why}`, { hint: 'Pass the path of an existing directory' })
  if (typeof directory !== 'string' || directory === '') throw wrong('is missing')
  try {
    const path = realpathSync(directory)
    if (statSync(path).isDirectory()) return path
  } catch (cause) {
    throw wrong(`'${directory}' cannot be opened (${errnoOf(cause) ?? String(cause)})`)
  }
  throw wrong(`'${directory}' is not a directory`)
}

function close(key: string, held: Open): void {
  open.delete(key)
  // One that never opened has nothing to close. Its failure was reported to the caller.
  held.kit.then(
    kit => kit.close().catch(warn),
    () => {},
  )
}

/** No caller waits for an idle toolkit to close: a missing state directory must not end the program. */
function warn(error: unknown): void {
  process.emitWarning(`Toolwright could not close an idle workspace: ${String(error)}`)
}
