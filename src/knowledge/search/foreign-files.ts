/** Files in a workspace that are none of its own, such as what is told there of calls: a search comes to one only where it is named. */
export interface ForeignFiles {
  matches(path: string): boolean
  /** What keeps ripgrep, started in this directory, from them. */
  args(directory: string): readonly string[]
}

/** By patterns such as `notes/*.log`, in which a star stands for any part of one name. */
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
