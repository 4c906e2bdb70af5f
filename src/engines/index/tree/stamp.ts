import { lstatSync, statSync, type BigIntStats } from 'node:fs'
import { diskPath } from './disk-path.ts'

/** The kernel's clock ticks every 10 ms at the slowest; some file systems keep whole seconds only, or every second one. */
const TICK_NS = 20_000_000n
const COARSE_TICK_NS = 2_100_000_000n
const SECOND_NS = 1_000_000_000n

/** Another whenever the content may be another, but for changes within a tick of the clock: see `isRacy`. */
export const stampOf = (stats: BigIntStats): string =>
  `${stats.ino.toString(36)}.${stats.size.toString(36)}.${stats.mtimeNs.toString(36)}.${stats.ctimeNs.toString(36)}`

/** An inode number is given again soon after it is free: only with its birth it tells two directories apart. */
export const identityOf = (stats: BigIntStats): string => `${stats.ino}.${stats.birthtimeNs}`

/** True where a change right after this look could leave every time as it is. */
export function isRacy(stats: BigIntStats, lookedAtMs: number): boolean {
  const looked = BigInt(lookedAtMs) * 1_000_000n
  if (stats.ctimeNs < looked - COARSE_TICK_NS) return false
  const coarse = stats.ctimeNs % SECOND_NS === 0n && stats.mtimeNs % SECOND_NS === 0n
  return coarse || stats.ctimeNs >= looked - TICK_NS
}

export const lstat = (bytes: string): BigIntStats | undefined =>
  quiet(() => lstatSync(diskPath(bytes), { bigint: true, throwIfNoEntry: false }))

/** Follows links, as ripgrep does with ignore files. */
export const stat = (bytes: string): BigIntStats | undefined =>
  quiet(() => statSync(diskPath(bytes), { bigint: true, throwIfNoEntry: false }))

/** What may not be looked at counts as not there. */
function quiet(look: () => BigIntStats | undefined): BigIntStats | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
