import type { ExportBinding, Value } from '../file-model/file-model.ts'
import type { Binding } from './scope.ts'

/** The exports of a file, in source order. */
export interface Exported {
  /** Importable names, including `default`. */
  readonly names: Set<string>
  /** Their values; `=` for the export that replaces the whole module. */
  readonly bindings: { readonly name: string; readonly value: Binding }[]
  readonly stars: Set<string>
  /** Local names that are exported, under any name. */
  readonly locals: Set<string>
  defaultName: string | undefined
}

export const noExports = (): Exported => ({
  names: new Set(),
  bindings: [],
  stars: new Set(),
  locals: new Set(),
  defaultName: undefined,
})

/** Each export with its value, as far as known. */
export function exportBindings({ bindings }: Exported): readonly ExportBinding[] {
  const exportKeys = new Set<string>()
  return bindings.flatMap(({ name, value }) => {
    const exportedValue: Value | undefined = value()
    const key = `${name} ${JSON.stringify(exportedValue)}`
    if (!exportedValue || exportKeys.has(key)) return []
    exportKeys.add(key)
    return [{ name, value: exportedValue }]
  })
}
