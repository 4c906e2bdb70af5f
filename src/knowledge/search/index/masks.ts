import { isBelow } from '../search-view.ts'
import type { GrepOptions } from '../types.ts'
import { wantedBy, type CompileGlob } from '../wanted-files.ts'
import type { PathTable } from './path-table.ts'
import { sharedArrays } from './segment.ts'

/** Selects the paths of a search by their numbers. */
interface Masks {
  /** Returns undefined if the search covers all paths. */
  maskFor(options: Narrowing, leaveOut: readonly string[]): Promise<Mask | undefined>
}

type Narrowing = Pick<GrepOptions, 'directory' | 'globs' | 'typeGlobs' | 'hidden'>

export type Mask = Uint8Array<SharedArrayBuffer>

interface CachedMask {
  mask: Mask
  /** Number of paths already checked. */
  upTo: number
  readonly isWanted: (path: string) => boolean
  /** The mask without the last request's exclusions. The next request usually has the same. */
  without?: { readonly leaveOut: readonly string[]; readonly upTo: number; readonly mask: Mask }
}

const MOST_KEPT = 64
/** Paths checked before other work gets its turn. */
const AT_ONCE = 5_000

/** Applies a directory and globs to each path once, later only to new paths. */
export function openMasks(book: Pick<PathTable, 'count' | 'pathOf' | 'known'>, compileGlob: CompileGlob): Masks {
  const masksByKey = new Map<string, CachedMask>()

  const keep = (key: string, options: Narrowing): CachedMask => {
    const cachedMask = masksByKey.get(key)
    if (cachedMask) return cachedMask
    const { directory = '.', hidden = true } = options
    const filter = wantedBy(compileGlob, options)
    const newMask: CachedMask = {
      mask: sharedArrays.bytes(book.count()),
      upTo: 0,
      isWanted: (path: string) => isBelow(path, { directory, hidden }) && (filter?.matches(path) ?? true),
    }
    if (masksByKey.size >= MOST_KEPT) masksByKey.clear()
    masksByKey.set(key, newMask)
    return newMask
  }

  return {
    async maskFor(options, leaveOut) {
      const { directory = '.', globs = [], typeGlobs, hidden = true } = options
      const isAll = directory === '.' && globs.length === 0 && !typeGlobs && hidden
      if (isAll && leaveOut.length === 0) return undefined
      const one = keep(JSON.stringify([directory, globs, typeGlobs, hidden]), options)
      if (one.mask.length < book.count()) {
        const larger = sharedArrays.bytes(book.count() * 2)
        larger.set(one.mask)
        one.mask = larger
      }
      while (one.upTo < book.count()) {
        const until = Math.min(book.count(), one.upTo + AT_ONCE)
        for (; one.upTo < until; one.upTo++) one.mask[one.upTo] = one.isWanted(book.pathOf(one.upTo)) ? 1 : 0
        if (one.upTo < book.count()) await new Promise(resolve => setImmediate(resolve))
      }
      if (leaveOut.length === 0) return one.mask
      const { upTo, without } = one
      if (without?.leaveOut === leaveOut && without.upTo === upTo) return without.mask
      const mask = sharedArrays.bytes(one.mask.length)
      mask.set(one.mask)
      for (const path of leaveOut) {
        const id = book.known(path)
        if (id !== undefined) mask[id] = 0
      }
      one.without = { leaveOut, upTo, mask }
      return mask
    },
  }
}
