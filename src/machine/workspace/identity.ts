import type { BigIntStats } from 'node:fs'
import type { Identity } from './workspace.ts'

/** Returns the identity for these stats; `mode` holds only the permission bits. */
export const identityOf = (stats: BigIntStats): Identity => ({
  ino: stats.ino,
  size: stats.size,
  mtimeNs: stats.mtimeNs,
  mode: permissionsOf(stats),
})

/** The permission bits of a mode, without the file type. */
export const permissionsOf = (stats: BigIntStats): number => Number(stats.mode & 0o7777n)

/** Reports whether the file is unchanged between the two identities. */
export const sameIdentity = (a: Identity, b: Identity): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode

/** Timestamps of some file systems move in steps: two writes within one step look the same. */
const STEP_MS = 50n

/**
 * Returns a text that differs whenever a file's content may differ, or undefined for a file that changed just now. It
 * includes the change time, which no program can set back.
 */
export function versionOf(
  { dev, ino, size, mtimeNs, ctimeNs, ctimeMs }: BigIntStats,
  nowMs = Date.now(),
): string | undefined {
  return BigInt(nowMs) - ctimeMs > STEP_MS ? `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}` : undefined
}

/**
 * A `put` of this type creates a link with the bytes as its target. New links land this way, and undo restores old
 * ones.
 */
export const LINK_TYPE = 0o120000
