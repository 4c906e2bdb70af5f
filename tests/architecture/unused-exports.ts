import type { Module } from './module.ts'

/** An export that no other file uses; tests, benchmarks, scripts and examples count as users. */
export interface UnusedExport {
  readonly file: string
  readonly name: string
}

/** Finds the unused exports of src/, except in `entries`: the files that a program imports from the package. */
export function unusedExports(modules: readonly Module[], entries: ReadonlySet<string>): readonly UnusedExport[] {
  const uses = Map.groupBy(
    modules.flatMap(({ file, code, imports }) => imports.map(({ target, names }) => ({ file, code, target, names }))),
    ({ target }) => target,
  )
  return modules
    .filter(({ file }) => file.startsWith('src/') && !entries.has(file))
    .flatMap(({ file, exports }) =>
      exports
        .filter(name => !(uses.get(file) ?? []).some(use => use.file !== file && takes(use, name)))
        .map(name => ({ file, name })),
    )
}

/** An import without a list of names takes each export that the importer writes down somewhere. */
const takes = ({ code, names }: Pick<Module, 'code'> & Pick<Module['imports'][number], 'names'>, name: string) =>
  names === 'all' || (names === 'mentioned' ? new RegExp(`\\b${name}\\b`).test(code) : names.includes(name))
