import type { ReadMemory } from '../workspace/read-memory.ts'
import type { ReadOptions, TextRead } from './read-text.ts'

/** What was read of a repository that has not changed since. */
interface Kept {
  version: string
  bytes: number
  readonly reads: Map<string, TextRead>
}

const MOST_BYTES = 32 * 1024 * 1024

/** By what a session remembers: what one session was shown is no other session's. */
const kept = new WeakMap<ReadMemory, Kept>()

/** Reads a file once for each version of the repository that it is part of. */
export function keptRead(
  memory: ReadMemory,
  version: string,
  { path, options }: { readonly path: string; readonly options: ReadOptions },
  read: () => TextRead,
): TextRead & { readonly cached: boolean } {
  const shelf = shelfOf(memory, version)
  const key = JSON.stringify([path, options])
  const known = shelf.reads.get(key)
  if (known) return { ...known, cached: true }
  const made = read()
  shelf.bytes += made.content.length
  if (shelf.bytes <= MOST_BYTES) shelf.reads.set(key, made)
  return { ...made, cached: false }
}

function shelfOf(memory: ReadMemory, version: string): Kept {
  const before = kept.get(memory)
  if (before?.version === version && before.bytes <= MOST_BYTES) return before
  const empty: Kept = { version, bytes: 0, reads: new Map() }
  kept.set(memory, empty)
  return empty
}
