import { onTestFinished } from 'vitest'
import { holdDirectory, type HeldDirectory } from '../../src/knowledge/search/held-directory.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'

/** Holds a directory of a workspace until the test is over. */
export function heldDirectory(path: string, directory = '.'): HeldDirectory {
  const root = openRoot(path)
  const held = holdDirectory(root, directory)
  onTestFinished(() => {
    held.release()
    root.close()
  })
  return held
}
