import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Graphs on disk, one file each; the ones that were not used for longest go. */
export interface GraphFiles {
  file(key: string): string
  has(key: string): boolean
  /** The files that it would be of as well, could they be parsed. */
  unread(key: string): readonly string[]
  /** Keeps those; to be called before there is a graph of this key. */
  keepUnread(key: string, paths: readonly string[]): void
  /** How large its file is; 0 if there is none. */
  bytes(key: string): number
  /** Says that it is used, and lets others go that are too many. */
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
    // Without the list it would look as if it were whole.
    has: key => existsSync(file(key)) && existsSync(unread(key)),
    unread: key => JSON.parse(readFileSync(unread(key), 'utf8')),
    keepUnread: (key, paths) => writeFileSync(unread(key), JSON.stringify(paths), { mode: 0o600 }),
    bytes: key => statSync(file(key), { throwIfNoEntry: false })?.size ?? 0,
    use(key) {
      const now = new Date()
      // Room may have been made meanwhile: whoever asks is told that it is gone.
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
