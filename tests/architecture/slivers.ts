import type { Module } from './module.ts'
import { definesTool } from './tool-listing.ts'

/** A file that only one other source imports. Under 30 lines it may belong into that one. */
export interface Sliver {
  readonly file: string
  readonly importer: string
  readonly lines: number
}

const SHORT = 30

/** Folders whose files are the rows of a table: languages, and programs that the shell reader knows. */
const TABLES = /^src\/(languages\/(\w+)\/(\2|grammar)\.ts$|guards\/shell\/programs\/)/

/** Each file that this one imports is a command. */
const COMMANDS = 'src/surfaces/cli/dispatch.ts'

/** Finds the slivers of src/. */
export const slivers = (modules: readonly Module[], entries: ReadonlySet<string>): readonly Sliver[] =>
  importedOnce(modules, entries).filter(({ lines }) => lines < SHORT)

/** Finds the sources that one other imports. A row of a table, a tool, a command and an entry of the build stand for themselves. */
export function importedOnce(modules: readonly Module[], entries: ReadonlySet<string>): readonly Sliver[] {
  const sources = modules.filter(({ file }) => file.startsWith('src/') && !file.endsWith('.test.ts'))
  const importers = Map.groupBy(
    sources.flatMap(({ file, imports }) => imports.map(({ target }) => ({ file, target }))),
    ({ target }) => target,
  )
  return sources.flatMap(({ file, lines, code }) => {
    const [importer, another] = new Set(importers.get(file)?.map(each => each.file))
    if (importer === undefined || another !== undefined) return []
    if (entries.has(file) || TABLES.test(file) || importer === COMMANDS || definesTool.test(code)) return []
    return [{ file, importer, lines }]
  })
}
