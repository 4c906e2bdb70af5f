import { createHash } from 'node:crypto'
import { modeOf, parseIndex, type IdSize } from './git-index.ts'

/**
 * Returns a hash of what an index says, without the file status that git refreshes at any time. Returns undefined for
 * one that cannot be compared like this.
 */
export function indexContent(bytes: Buffer): string | undefined {
  const sizes: readonly IdSize[] = [20, 32]
  const index = sizes.map(size => parseIndex(bytes, size)).find(one => one !== undefined)
  // An extension with a lower-case name changes the meaning of the entries.
  if (!index || index.extensions.some(({ name }) => /^[^A-Z]/.test(name))) return undefined
  const hash = createHash('sha256')
  for (const entry of index.entries)
    hash
      .update(JSON.stringify([modeOf(entry), entry.id.toString('hex'), entry.flags, entry.more]) + '\0')
      .update(entry.path)
      .update('\0')
  return hash.digest('hex')
}
