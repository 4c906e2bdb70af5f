import type { DiskTree } from '../tree/open-tree.ts'
import { saveTree } from '../tree/saved-tree.ts'

/**
 * Saves the files of a tree for the next process: once they are known, because a process may be killed, and when it
 * ends. A list that could not be saved, or is an old one, costs the next process some looks and nothing else.
 */
export function keepTree(tree: DiskTree, path: string, known: Promise<void>): { save(): void } {
  let savedVersion: number | undefined
  function save(): void {
    if (savedVersion === tree.version() || tree.defect() !== undefined) return
    savedVersion = tree.version()
    try {
      saveTree(tree.files(), path)
    } catch {}
  }
  let isKnown = false
  known.then(
    () => {
      isKnown = true
      save()
    },
    () => undefined,
  )
  return { save: () => void (isKnown && save()) }
}
