interface FileEvent {
  readonly path: string
  readonly type: 'made' | 'changed' | 'gone'
}

/** Directories of created files that held no file before, the outermost first. */
export function newDirectories(changes: readonly FileEvent[], before: Iterable<string>): readonly string[] {
  const directories = new Set(changes.flatMap(({ path, type }) => (type === 'made' ? above(path) : [])))
  if (directories.size === 0) return []
  for (const path of before) for (const directory of above(path)) directories.delete(directory)
  return [...directories].toSorted((one, other) => one.length - other.length)
}

function above(path: string): readonly string[] {
  const ancestors: string[] = []
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    ancestors.push(path.slice(0, slash))
  return ancestors
}
