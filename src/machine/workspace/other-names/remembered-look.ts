import { readdirSync, readFileSync, statSync, type BigIntStats, type Dirent } from 'node:fs'

/** Looks at files by path, and remembers what it saw of them. */
export interface RememberedLook {
  text(path: string): string | undefined
  list(path: string): readonly Dirent[]
  /** Reports whether all of them are still as they were. */
  isCurrent(): boolean
}

const MOST_BYTES = 4_000_000
/** A file that changed just now may change again within the same clock tick. */
const SETTLED_NS = 100_000_000n

/** Begins a look at files outside of what calls may name: the settings of git. What cannot be read has no content. */
export function rememberedLook(): RememberedLook {
  const statesByPath = new Map<string, string | undefined>()
  const remember = (path: string): BigIntStats | undefined => {
    const stats = statsOf(path)
    statesByPath.set(path, stateOf(stats))
    return stats
  }
  return {
    text(path) {
      const stats = remember(path)
      return stats?.isFile() && stats.size <= MOST_BYTES ? (attempt(() => readFileSync(path, 'utf8')) ?? '') : undefined
    },
    list: path =>
      remember(path)?.isDirectory() ? (attempt(() => readdirSync(path, { withFileTypes: true })) ?? []) : [],
    isCurrent: () =>
      [...statesByPath].every(([path, state]) => state !== UNSETTLED && state === stateOf(statsOf(path))),
  }
}

const UNSETTLED = 'unsettled'

const statsOf = (path: string): BigIntStats | undefined =>
  attempt(() => statSync(path, { bigint: true, throwIfNoEntry: false }))

function stateOf(stats: BigIntStats | undefined): string | undefined {
  if (stats === undefined) return undefined
  const { ctimeNs, mtimeNs, size, ino } = stats
  if (BigInt(Date.now()) * 1_000_000n - ctimeNs < SETTLED_NS) return UNSETTLED
  return [ino, size, mtimeNs, ctimeNs].join()
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
