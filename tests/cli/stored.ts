import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The stored texts of one folder below tests/data: where each is, and the names of all. */
export function storedIn(folder: string) {
  const directory = join(import.meta.dirname, '../data', folder)
  return {
    file: (name: string): string => join(directory, `${name}.txt`),
    names: (): readonly string[] =>
      readdirSync(directory)
        .map(name => name.replace(/\.txt$/, ''))
        .toSorted(),
  }
}
