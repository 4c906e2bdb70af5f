import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Stored graphs, one file each; the least recently used ones are removed. */
export interface GraphFiles {
  file(key: string): string
  has(key: string): boolean
  /** Unparsable files that the graph lacks. */
  unread(key: string): readonly string[]
  /** Stores those; call it before the graph of this key exists. */
  keepUnread(key: string, paths: readonly string[]): void
  /** Size of its file; 0 if there is none. */
  bytes(key: string): number
  /** Marks it as used, and removes surplus graphs. */
  use(key: string): void
}

const UNREAD = '.unread'
const MOST_FILES = 24
const MOST_BYTES = 2 * 1024 ** 3

export function graphFiles(directory: string): GraphFiles {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = (key: string): string => join(directory, `${key}.lbug`)
  const unread = (key: string): string => `${file(key)}${UNREAD}`
  return {
    file,
    // Without the list the graph would look complete.
    has: key => existsSync(file(key)) && existsSync(unread(key)),
    unread: key => JSON.parse(readFileSync(unread(key), 'utf8')),
    keepUnread: (key, paths) => writeFileSync(unread(key), JSON.stringify(paths), { mode: 0o600 }),
    bytes: key => statSync(file(key), { throwIfNoEntry: false })?.size ?? 0,
    use(key) {
      const now = new Date()
      // It may have been removed meanwhile; the caller then gets `gone`.
      if (existsSync(file(key))) utimesSync(file(key), now, now)
      let bytes = 0
      const all = readdirSync(directory)
        .filter(name => name.endsWith('.lbug'))
        .flatMap(name => {
          const stats = statSync(join(directory, name), { throwIfNoEntry: false })
          return stats ? [{ name, size: stats.size, at: stats.mtimeMs }] : []
        })
        .toSorted((one, other) => other.at - one.at)
      for (const [at, { name, size }] of all.entries()) {
        bytes += size
        if (at > 0 && (at >= MOST_FILES || bytes > MOST_BYTES))
          for (const ending of ['', '.wal', '.shadow', UNREAD]) rmSync(join(directory, name + ending), { force: true })
      }
    },
  }
}
