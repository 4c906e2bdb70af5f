import { lstatSync, statSync, type Stats } from 'node:fs'

/** The kernel's clock ticks every 10 ms at the slowest; some file systems keep whole seconds only, or every second one. */
const TICK_MS = 20
const COARSE_TICK_MS = 2_100

/** What of a file tells whether it is the same. Times to a quarter of a microsecond: see `isRacy` for what that misses. */
export interface Looked {
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
}

export const sameLook = (a: Looked, b: Looked): boolean =>
  a.ctimeMs === b.ctimeMs && a.mtimeMs === b.mtimeMs && a.size === b.size && a.ino === b.ino

export const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Looked): string => `${ino}.${size}.${mtimeMs}.${ctimeMs}`

/** An inode number is given again soon after it is free: only with its birth it tells two directories apart. */
export const identityOf = (stats: Stats): string => `${stats.ino}.${stats.birthtimeMs}`

/** In the stamp of a file with rules that could change right after it was looked at. */
export const UNSURE = '?'

/** True if a change right after this look could leave every time as it is. */
export function isRacy({ mtimeMs, ctimeMs }: Looked, lookedAtMs: number): boolean {
  if (ctimeMs < lookedAtMs - COARSE_TICK_MS) return false
  return ctimeMs >= lookedAtMs - TICK_MS || (ctimeMs % 1_000 === 0 && mtimeMs % 1_000 === 0)
}

/** What may not be looked at counts as not there. */
export function lstat(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, QUIET)
  } catch {
    return undefined
  }
}

/** Follows links, as ripgrep does with ignore files. */
export function stat(path: string | Buffer): Stats | undefined {
  try {
    return statSync(path, QUIET)
  } catch {
    return undefined
  }
}

const QUIET = { throwIfNoEntry: false } as const
