import { lstatSync, statSync, type Stats } from 'node:fs'

/** The kernel's clock ticks at least every 10 ms; some file systems store only whole or even seconds. */
const TICK_MS = 20
const COARSE_TICK_MS = 2_100

/**
 * Values that tell whether a file is unchanged. Times to a quarter of a microsecond: see `isRacy` for what that misses.
 */
export interface Looked {
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
}

export const sameLook = (a: Looked, b: Looked): boolean =>
  a.ctimeMs === b.ctimeMs && a.mtimeMs === b.mtimeMs && a.size === b.size && a.ino === b.ino

export const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Looked): string => `${ino}.${size}.${mtimeMs}.${ctimeMs}`

/** Inode numbers are soon reused: only together with the birth time does one identify a directory. */
export const identityOf = (stats: Stats): string => `${stats.ino}.${stats.birthtimeMs}`

/** Marks the stamp of an ignore file that could change right after the look. */
export const UNSURE = '?'

/** Returns true if a change right after this look could leave all times unchanged. */
export function isRacy({ mtimeMs, ctimeMs }: Looked, lookedAtMs: number): boolean {
  if (ctimeMs < lookedAtMs - COARSE_TICK_MS) return false
  return ctimeMs >= lookedAtMs - TICK_MS || (ctimeMs % 1_000 === 0 && mtimeMs % 1_000 === 0)
}

/** A file that may not be looked at counts as missing. */
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
