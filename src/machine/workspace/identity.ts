import type { BigIntStats } from 'node:fs'
import type { Identity } from './workspace.ts'

/** The identity of what was stat'ed; `mode` holds the permission bits alone. */
export const identityOf = (stats: BigIntStats): Identity => ({
  ino: stats.ino,
  size: stats.size,
  mtimeNs: stats.mtimeNs,
  mode: permissionsOf(stats),
})

/** The permission bits of a mode, without the file type. */
export const permissionsOf = (stats: BigIntStats): number => Number(stats.mode & 0o7777n)

/** True if nobody touched the file between the two looks. */
export const sameIdentity = (a: Identity, b: Identity): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode

/** Time stamps of some file systems move in steps: within one, two writes look the same. */
const STEP_MS = 50n

/**
 * A word that differs whenever a file's content may differ; undefined for a file that changed a moment ago.
 * The time of the last change of any kind is in it, which no program can set back.
 */
export function versionOf(
  { dev, ino, size, mtimeNs, ctimeNs, ctimeMs }: BigIntStats,
  nowMs = Date.now(),
): string | undefined {
  return BigInt(nowMs) - ctimeMs > STEP_MS ? `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}` : undefined
}

/** A `put` of this type makes a link whose text is the bytes: how a new link lands, and how undo brings an old one back. */
export const LINK_TYPE = 0o120000
