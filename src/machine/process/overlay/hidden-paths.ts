import { readdirSync, statSync } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import type { HiddenPaths } from '../../../kernel/hidden-paths.ts'
import { nameFromBytes } from '../../workspace/name.ts'
import { join, show } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import { layerPath } from './layer-path.ts'

interface Seen {
  readonly mtimeNs: bigint
  readonly hidden: readonly string[]
  /** Hidden links: what they lead to is hidden too. */
  readonly links: readonly string[]
  readonly directories: readonly string[]
  readonly entries: number
}

/** Directory listings of one workspace from the last walk. */
export type HiddenMemory = Map<string, Seen>

/** History, not content. Hidden from commands in another way; walked only if a rule names it. */
const REPOSITORY = '.git'
const MOST = 2_000_000
/** With room for the name of a file. */
const LONGEST_PATH = 3_800
const SETTLED_NS = 100_000_000n

/**
 * Finds the files and directories that rules hide from a command, by name. Does not read an unchanged directory again.
 * Throws `unavailable` if there are too many entries to check, so that none stays visible.
 */
export function hiddenPaths(root: Root, hides: HiddenPaths, memory: HiddenMemory, most = MOST): string[] {
  const paths: string[] = []
  let count = 0
  descend('.')
  return paths

  function descend(directory: string): void {
    const listing = look(directory)
    if (listing === undefined) return
    count += listing.entries
    if (count > most) throw tooMany(most)
    for (const path of listing.hidden) paths.push(path)
    for (const path of listing.links) paths.push(...placeOf(path))
    for (const inner of listing.directories) descend(inner)
  }

  function look(directory: string): Seen | undefined {
    const place = layerPath(`/proc/self/fd/${root.fd}/.`, directory)
    if (place.length > LONGEST_PATH) throw tooDeep(directory)
    const mtimeNs = statSync(place, { bigint: true, throwIfNoEntry: false })?.mtimeNs
    if (mtimeNs === undefined) return undefined
    const earlier = memory.get(directory)
    if (earlier?.mtimeNs === mtimeNs) return earlier
    const hiddenHere: string[] = []
    const links: string[] = []
    const directories: string[] = []
    const entries = readdirSync(place, { withFileTypes: true, encoding: 'buffer' })
    for (const entry of entries) {
      const name = nameFromBytes(entry.name)
      const path = join(directory, name)
      const isDirectory = entry.isDirectory()
      if (hides.matches(path, isDirectory) || (isDirectory && hides.covers(path))) {
        hiddenHere.push(path)
        if (entry.isSymbolicLink()) links.push(path)
      } else if (isDirectory && hides.reaches(path) && (name !== REPOSITORY || hides.names(path)))
        directories.push(path)
    }
    const fresh = { mtimeNs, hidden: hiddenHere, links, directories, entries: entries.length }
    // A directory that changed just now may change again within the same clock tick.
    if (BigInt(Date.now()) * 1_000_000n - mtimeNs > SETTLED_NS) memory.set(directory, fresh)
    return fresh
  }

  /** Returns the place that a link leads to; empty if it is no longer in the workspace. */
  function placeOf(link: string): string[] {
    try {
      const place = root.resolve(link)
      place.release()
      return place.stats === undefined || place.rel === '.' || paths.includes(place.rel) ? [] : [place.rel]
    } catch {
      return []
    }
  }
}

const tooDeep = (directory: string): ToolError =>
  new ToolError(
    'unavailable',
    `A rule hides files from commands, and ${show(directory)} lies deeper than a path can name (${LONGEST_PATH} bytes)`,
    { hint: 'Remove that directory, or write the rule so that it names the places, for example config/.env*.' },
  )

const tooMany = (most: number): ToolError =>
  new ToolError('unavailable', `A rule hides files from commands, and there are more than ${most} entries to check`, {
    hint: 'Write the rule so that it names the places, for example config/.env* in place of **/.env*',
  })
