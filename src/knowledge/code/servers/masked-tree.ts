import type { Tree, TreeFile } from '../../tree/tree.ts'
import { hiddenTest, type HiddenFiles } from './hidden-files.ts'

/** The files of a workspace without those that are hidden. */
export function maskedTree(tree: Tree, hidden: HiddenFiles): Tree {
  if (hidden.key === '') return tree
  const isHidden = hiddenTest(hidden)
  let seen = { version: -1, files: new Map<string, TreeFile>() as ReadonlyMap<string, TreeFile> }
  return {
    ...tree,
    files() {
      const version = tree.version()
      if (seen.version !== version)
        seen = { version, files: new Map([...tree.files()].filter(([path]) => !isHidden(path))) }
      return seen.files
    },
    onChange: listener =>
      tree.onChange(({ put, gone }) => {
        const change = {
          put: put.filter(({ path }) => !isHidden(path)),
          gone: gone.filter(path => !isHidden(path)),
        }
        if (change.put.length + change.gone.length > 0) listener(change)
      }),
  }
}
