import { lstatSync, statfsSync, statSync, type Stats } from 'node:fs'
import { placeBelow } from './held-directory.ts'

/** Longer than a tick of the clock that stamps directories. */
const SETTLED_MS = 50

/** Local file systems: the system's own clock stamps a directory whenever a name in it changes. */
const STAMPING: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x5846_5342, // xfs
  0x9123_683e, // btrfs
  0x0102_1994, // tmpfs
  0x794c_7630, // overlay
  0xf2f5_2010, // f2fs
  0x2fc1_2fc1, // zfs
])

/**
 * Starts watching the names below a held directory. The returned function reports whether every name on the way to these
 * files is certainly the same since then: another program that opened them by path read what the held walk leads to.
 */
export function watchNames(directory: string): (files: Iterable<string>) => boolean {
  const [begunAt, ticks] = [Date.now(), performance.now()]
  const isSettled = ({ ctimeMs }: Stats): boolean => ctimeMs < begunAt - SETTLED_MS
  return files => {
    const isClockSteady = Math.abs(Date.now() - begunAt - (performance.now() - ticks)) < SETTLED_MS / 2
    if (!isClockSteady || !STAMPING.has(statfsSync(directory).type)) return false
    const { dev } = statSync(directory)
    // The deepest first: a directory that proves unchanged later vouches for the look through it.
    for (const folder of [...foldersOf(files)].toSorted((one, other) => other.length - one.length)) {
      const stats = lookAt(placeBelow(directory, folder))
      if (!stats?.isDirectory() || stats.dev !== dev || !isSettled(stats)) return false
    }
    return isSettled(statSync(directory))
  }
}

/** Returns every directory above one of these files, without the one that they are below. */
function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of files)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  return folders
}

/** Returns undefined for a path that cannot be looked at, for whatever reason. */
function lookAt(place: string | Buffer): Stats | undefined {
  try {
    return lstatSync(place)
  } catch {
    return undefined
  }
}
