/** What a server must know nothing of, because whoever asks may not read it. */
export interface HiddenFiles {
  /** The same for the same files, and another where one was replaced; empty where nothing is hidden. */
  readonly key: string
  /** Relative paths of files, and of directories with all that is in them. */
  readonly paths: readonly string[]
}

export const NOTHING_HIDDEN: HiddenFiles = { key: '', paths: [] }

/** Whether a path is hidden, itself or with a directory above it. */
export function hiddenTest({ paths }: HiddenFiles): (path: string) => boolean {
  if (paths.length === 0) return () => false
  const names = new Set(paths)
  return path => {
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) if (names.has(path.slice(0, at))) return true
    return false
  }
}
