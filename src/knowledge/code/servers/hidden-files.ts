import type { Tree, TreeFile } from '../../tree/tree.ts'

/** Files that a server must not see, because the caller may not read them. */
export interface HiddenFiles {
  /** Equal for the same files, different after one was replaced; empty if nothing is hidden. */
  readonly key: string
  /** Relative paths of files, and of directories with their contents. */
  readonly paths: readonly string[]
}

export const NOTHING_HIDDEN: HiddenFiles = { key: '', paths: [] }

/** Returns a test of whether a path, or a directory above it, is hidden. */
export function hiddenTest({ paths }: HiddenFiles): (path: string) => boolean {
  if (paths.length === 0) return () => false
  const names = new Set(paths)
  return path => {
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) if (names.has(path.slice(0, at))) return true
    return false
  }
}

/** The files of a workspace without the hidden ones. */
export function maskedTree(tree: Tree, hiddenFiles: HiddenFiles): Tree {
  if (hiddenFiles.key === '') return tree
  const isHidden = hiddenTest(hiddenFiles)
  let visibleFiles = { version: -1, files: new Map<string, TreeFile>() as ReadonlyMap<string, TreeFile> }
  return {
    ...tree,
    files() {
      const version = tree.version()
      if (visibleFiles.version !== version)
        visibleFiles = { version, files: new Map([...tree.files()].filter(([path]) => !isHidden(path))) }
      return visibleFiles.files
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
