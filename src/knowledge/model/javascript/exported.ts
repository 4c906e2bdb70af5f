import type { ExportBinding, Value } from '../file-model.ts'
import type { Binding } from './scope.ts'

/** What a file exports, gathered in the order of the source. */
export interface Exported {
  /** Importable names, `default` among them. */
  readonly names: Set<string>
  /** What they stand for; `=` for what takes the place of the whole module. */
  readonly bindings: { readonly name: string; readonly value: Binding }[]
  readonly stars: Set<string>
  /** Names inside the file that are exported, under whatever name. */
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

/** Each with what it stands for, as far as anybody can say. */
export function exportBindings({ bindings }: Exported): readonly ExportBinding[] {
  const seen = new Set<string>()
  return bindings.flatMap(({ name, value }) => {
    const known: Value | undefined = value()
    const key = `${name} ${JSON.stringify(known)}`
    if (!known || seen.has(key)) return []
    seen.add(key)
    return [{ name, value: known }]
  })
}
