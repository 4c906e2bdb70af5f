/** Joins a path to a folder of the workspace, which is empty or ends with `/`. Returns undefined if it leads out. */
export function joinPath(folder: string, path: string): string | undefined {
  const names = folder.split('/').slice(0, -1)
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) return undefined
  }
  return names.join('/')
}

/** Returns the folder of a file: empty, or ending with `/`. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** Yields a folder and its parents, the nearest first. */
export function* foldersUp(folder: string): Generator<string> {
  for (let at = folder; ; at = folderOf(at.slice(0, -1))) {
    yield at
    if (at === '') return
  }
}
