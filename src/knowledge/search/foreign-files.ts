import { oncePer } from '../../kernel/once.ts'

/**
 * Files in a workspace that are not part of it, such as call records. A search includes one only if the caller names
 * it.
 */
export interface ForeignFiles {
  matches(path: string): boolean
  /** Returns the check of the names in one directory; undefined if no such file can be there. */
  namesIn(directory: string): ((name: string) => boolean) | undefined
  /** Returns arguments that exclude these files from a ripgrep run in this directory. */
  args(directory: string): readonly string[]
}

/** Takes patterns such as `notes/*.log`, in which a star matches part of one name. */
export function foreignFiles(...patterns: readonly string[]): ForeignFiles {
  const all = patterns.map(pattern => pattern.split('/').map(name => ({ name, fits: fitting(name) })))
  /** Returns the last parts of patterns whose other parts fit a directory. */
  const fitsIn = (directory: string): readonly ((name: string) => boolean)[] => {
    const above = directory === '' ? [] : directory.slice(0, -1).split('/')
    return all
      .filter(parts => parts.length === above.length + 1 && above.every((name, at) => parts[at]?.fits(name)))
      .flatMap(parts => parts.at(-1)?.fits ?? [])
  }
  // Paths come directory by directory, and hardly any holds such a file.
  let last = { directory: '', fits: fitsIn('') }
  return {
    matches(path) {
      const start = path.lastIndexOf('/') + 1
      if (start !== last.directory.length || !path.startsWith(last.directory)) {
        const directory = path.slice(0, start)
        last = { directory, fits: fitsIn(directory) }
      }
      return last.fits.length > 0 && last.fits.some(fits => fits(path.slice(start)))
    },
    namesIn(directory) {
      const ends = fitsIn(directory === '.' ? '' : `${directory}/`)
      return ends.length === 0 ? undefined : name => ends.some(fits => fits(name))
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

/** Compiled once: each call of a tool opens the same few patterns. */
const fitting = oncePer((pattern: string): ((name: string) => boolean) => {
  const parts = pattern.split('*').map(part => part.replaceAll(/[\\.+*?()|[\]{}^$-]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('[^]*')}$`)
  return name => expression.test(name)
})
