/**
 * Files in a workspace that are not part of it, such as call records. A search includes one only if the caller names
 * it.
 */
export interface ForeignFiles {
  matches(path: string): boolean
  /** Returns arguments that exclude these files from a ripgrep run in this directory. */
  args(directory: string): readonly string[]
}

/** Takes patterns such as `notes/*.log`, in which a star matches part of one name. */
export function foreignFiles(...patterns: readonly string[]): ForeignFiles {
  const all = patterns.map(pattern => pattern.split('/').map(name => ({ name, fits: fitting(name) })))
  return {
    matches(path) {
      const names = path.split('/')
      return all.some(parts => parts.length === names.length && parts.every(({ fits }, at) => fits(names[at] ?? '')))
    },
    args(directory) {
      const above = directory === '.' ? [] : directory.split('/')
      return all
        .filter(parts => parts.length > above.length && above.every((name, at) => parts[at]?.fits(name)))
        .map(
          parts =>
            `--glob=!/${parts
              .slice(above.length)
              .map(({ name }) => name)
              .join('/')}`,
        )
    },
  }
}

function fitting(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map(part => part.replaceAll(/[\\.+*?()|[\]{}^$-]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('[^]*')}$`)
  return name => expression.test(name)
}
