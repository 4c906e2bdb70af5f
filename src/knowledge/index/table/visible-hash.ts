import type { Visibility } from './answer.ts'
import type { FileTable } from './file-table.ts'

/** Returns the hash of every indexed file that a caller may see, with staged files in place of those on disk. */
export function visibleHash(table: FileTable, sight: Visibility | undefined): string {
  const { staged: { files, gone } = { files: [], gone: [] }, leaveOut = [] } = sight ?? {}
  // A path may be named twice, but is in the sum once.
  const others = new Set([...leaveOut, ...gone, ...files.map(({ path }) => path)])
  if (others.size === 0) return table.hash()
  const sum = table.sum().copy()
  for (const path of others) {
    const entry = table.get(path)
    if (entry) sum.remove(path, entry.content)
  }
  for (const { path, content } of files) sum.add(path, content)
  return sum.text()
}
