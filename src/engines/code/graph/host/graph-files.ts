import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Graphs on disk, one file each; the ones that were not used for longest go. */
export interface GraphFiles {
  file(key: string): string
  has(key: string): boolean
  /** How large its file is; 0 where there is none. */
  bytes(key: string): number
  /** Says that it is used, and lets others go that are too many. */
  use(key: string): void
}

const MOST_FILES = 24
const MOST_BYTES = 2 * 1024 ** 3

export function graphFiles(directory: string): GraphFiles {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = (key: string): string => join(directory, `${key}.lbug`)
  return {
    file,
    has: key => existsSync(file(key)),
    bytes: key => statSync(file(key), { throwIfNoEntry: false })?.size ?? 0,
    use(key) {
      const now = new Date()
      utimesSync(file(key), now, now)
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
          for (const ending of ['', '.wal', '.shadow']) rmSync(join(directory, name + ending), { force: true })
      }
    },
  }
}
