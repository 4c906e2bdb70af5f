import type { Meaning } from './meaning.ts'
import { symbolAt, type Found, type ProjectFile } from './project.ts'
import type { Resolution } from './resolution.ts'

/** Extension functions of this name for one of these types, as far as a file sees them. */
export function extensionsFor(
  resolution: Resolution,
  owners: readonly Meaning[],
  name: string,
  file: ProjectFile,
): readonly Found[] {
  const types = new Set(owners.flatMap(each => typeNames(resolution, each)))
  if (types.size === 0) return []
  const extensions = visibleExtensions(resolution, name, file)
  const exact = extensions.filter(each => types.has(symbolAt(each)?.receiver ?? ''))
  // An extension of a type parameter applies to every type.
  return exact.length > 0 ? exact : extensions.filter(each => /^([A-Z]|Any)$/.test(symbolAt(each)?.receiver ?? ''))
}

function visibleExtensions({ names }: Resolution, name: string, file: ProjectFile): readonly Found[] {
  return names.extensions(name, file).filter(found => {
    const symbol = symbolAt(found)
    if (!symbol) return false
    if (found.file === file || symbol.parent !== -1) return true
    const home = names.packageOf(found.file)
    if (home === names.packageOf(file)) return true
    return file.code.imports.some(
      ({ module, name: brought }) => module === home && (brought === '*' || brought === name),
    )
  })
}

/** The names of its type and of that type's ancestors. */
export function typeNames({ above }: Resolution, meaning: Meaning): readonly string[] {
  if (meaning.kind === 'outside') return [meaning.name]
  if (meaning.kind !== 'instance' && meaning.kind !== 'symbol') return []
  const bases = above(meaning.at).flatMap(each =>
    each.kind === 'instance' ? (symbolAt(each.at)?.name ?? []) : each.kind === 'outside' ? each.name : [],
  )
  return [symbolAt(meaning.at)?.name ?? '', ...bases]
}
