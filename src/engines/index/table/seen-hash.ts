import type { Sight } from './answer.ts'
import type { FileTable } from './file-table.ts'

/** The hash of everything that is indexed, with staged files in place of those on disk. */
export function seenHash(table: FileTable, sight: Sight | undefined): string {
  const { staged } = sight ?? {}
  if (!staged || (staged.files.length === 0 && staged.gone.length === 0)) return table.hash()
  const sum = table.sum().copy()
  const takeOut = (path: string) => {
    const entry = table.get(path)
    if (entry) sum.remove(path, entry.content)
  }
  for (const path of staged.gone) takeOut(path)
  for (const { path, content } of staged.files) {
    takeOut(path)
    sum.add(path, content)
  }
  return sum.text()
}
