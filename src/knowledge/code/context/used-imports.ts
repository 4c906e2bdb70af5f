import type { FileModel, ImportBinding } from '../../model/file-model.ts'
import type { Import } from '../types.ts'

const WORD = /[\p{L}\p{N}_$]+/gu
/** Here an import without a name only runs the module. */
const BY_NAME = new Set(['typescript', 'javascript', 'vue'])

/** The imports whose names these lines use, and those of whose names nobody can say. */
export function usedImports(
  { language, imports }: FileModel,
  shown: readonly string[],
  first: number,
): readonly Import[] {
  const importing = new Set(imports.map(({ line }) => line))
  const used = new Set(shown.flatMap((text, at) => (importing.has(first + at) ? [] : (text.match(WORD) ?? []))))
  const isUsed = ({ local }: ImportBinding) => (local === '' ? !BY_NAME.has(language) : used.has(local))
  const statements = Map.groupBy(imports.filter(isUsed), ({ module, line }) => `${line} ${module}`)
  return [...statements.values()].flatMap(each => {
    const [one] = each
    if (!one) return []
    return { module: one.module, names: each.map(({ local }) => (local === '' ? '*' : local)), line: one.line }
  })
}
