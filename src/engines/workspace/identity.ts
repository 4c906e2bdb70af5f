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

/** True where nobody touched the file between the two looks. */
export const sameIdentity = (a: Identity, b: Identity): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode
