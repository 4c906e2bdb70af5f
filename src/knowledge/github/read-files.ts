import { setImmediate as turn } from 'node:timers/promises'
import { ToolError } from '../../kernel/error.ts'
import type { RepositoryEntry, RepositorySource } from './types.ts'

/** Files fetched concurrently. */
const AT_ONCE = 8
/** Cached files are read without a turn of the event loop, so a turn is taken after this time. */
const TURN_MS = 20

/** Yields the contents of these files in order, a few fetched concurrently, until time runs out. */
export async function* readFiles(
  source: RepositorySource,
  files: readonly RepositoryEntry[],
  deadline: number,
): AsyncGenerator<{ readonly file: RepositoryEntry; readonly bytes: Buffer }> {
  let lastTurn = performance.now()
  for (let at = 0; at < files.length && Date.now() <= deadline; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE)
    const contents = await contentsOf(source, some).catch((cause: unknown) => {
      if (isOver(cause, deadline)) return undefined
      throw cause
    })
    if (!contents) return
    for (const [place, file] of some.entries()) {
      yield { file, bytes: contents[place]?.bytes ?? NOTHING.bytes }
      if (performance.now() - lastTurn < TURN_MS) continue
      await turn()
      lastTurn = performance.now()
    }
  }
}

/** The last request gets the remaining time, so its timeout comes just before or after the deadline. */
const isOver = (cause: unknown, deadline: number): boolean =>
  cause instanceof ToolError && cause.code === 'timeout' && Date.now() + 100 > deadline

const contentsOf = (source: RepositorySource, files: readonly RepositoryEntry[]) =>
  Promise.all(files.map(({ path, size }) => (size === 0 ? NOTHING : source.read(path))))

const NOTHING = { bytes: Buffer.alloc(0) }
