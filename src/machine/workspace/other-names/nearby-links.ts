import { ToolError } from '../../../kernel/error.ts'
import { parentOf } from '../path.ts'
import type { View } from '../view.ts'

/** Entries of a directory that may lead elsewhere. */
interface Nearby {
  readonly links: readonly string[]
  /** Directories with a repository of their own. */
  readonly repositories: readonly string[]
}

interface Listing {
  /** A command can set the other times of a directory back. */
  readonly ctimeNs: bigint
  readonly links: readonly string[]
  /** Directories of protected names. */
  readonly inner: readonly string[]
  readonly hasRepository: boolean
}

const MOST_INNER = 200
const SETTLED_NS = 100_000_000n
const REPOSITORY = '.git'

/**
 * Returns a function that lists the links beside a path and its parents, up to the root, and in the protected
 * directories there. A directory is listed again only if it changed. `view` shows what is on disk.
 */
export function createNearbyLinks(view: View, isProtected: (path: string) => boolean): NearbyLinks {
  const listings = new Map<string, Listing>()
  let listedDirectories = new Set<string>()
  let inner = 0
  let nearby: { links: string[]; repositories: string[] } = { links: [], repositories: [] }
  return {
    begin() {
      listedDirectories = new Set()
      inner = 0
      nearby = { links: [], repositories: [] }
    },
    near(path) {
      const before = listedDirectories.size
      for (let at = parentOf(path); !listedDirectories.has(at); at = parentOf(at)) look(at)
      return listedDirectories.size > before
    },
    nearby: () => nearby,
  }

  function look(directory: string): void {
    listedDirectories.add(directory)
    const listing = ifReachable(() => listDirectory(directory))
    if (listing === undefined) return
    nearby.links.push(...listing.links)
    if (listing.hasRepository) nearby.repositories.push(directory)
    for (const below of listing.inner) if (!listedDirectories.has(below) && ++inner <= MOST_INNER) look(below)
  }

  function listDirectory(directory: string): Listing | undefined {
    return view.look(directory, { link: true }, found => {
      if (found.type !== 'directory' || found.seen.type !== 'disk') return undefined
      const { ctimeNs } = found.seen.stats
      const before = listings.get(directory)
      if (before?.ctimeNs === ctimeNs) return before
      const entries = view.names(found)
      const fresh = {
        ctimeNs,
        links: entries.filter(({ type }) => type === 'symlink').map(({ path }) => path),
        inner: entries
          .filter(({ name, type, path }) => type === 'directory' && name !== REPOSITORY && isProtected(path))
          .map(({ path }) => path),
        hasRepository: entries.some(({ name }) => name === REPOSITORY),
      }
      // A directory that changed just now may change again within the same clock tick.
      if (BigInt(Date.now()) * 1_000_000n - ctimeNs > SETTLED_NS) listings.set(directory, fresh)
      return fresh
    })
  }
}

/** Nothing is beside a path below a file, a circle of links or a link out: a call puts a directory in their place. */
function ifReachable<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (error instanceof ToolError && NO_DIRECTORY.has(error.code)) return undefined
    throw error
  }
}

const NO_DIRECTORY: ReadonlySet<string> = new Set(['not_a_directory', 'invalid_input', 'outside_workspace'])

interface NearbyLinks {
  /** Forgets what was found, so that each directory is looked at again. */
  begin(): void
  /** Looks around a path. Reports whether it looked at a directory that was not yet known. */
  near(path: string): boolean
  nearby(): Nearby
}
