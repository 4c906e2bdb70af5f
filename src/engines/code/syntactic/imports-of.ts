import { named, symbolAt, type Found } from '../graph/resolve/project.ts'
import type { OwnImport } from '../symbols/file-code.ts'
import { asMeanings, isType, type Meaning, type Where } from './meaning-words.ts'
import type { Tables } from './tables.ts'

/** What imports bring. */
export interface Imports {
  importedBy(import_: OwnImport, where: Where): readonly Meaning[]
  /** What a package has under this name, or a class or module whose members can be imported. */
  insideOf(module: string, name: string): readonly Found[]
}

export function importsOf(tables: Tables, members: (type: Found, name: string) => readonly Found[]): Imports {
  return { importedBy, insideOf }

  function importedBy({ module, name, local }: OwnImport, { file }: Where): readonly Meaning[] {
    // `import a.b` brings `a`, in which `b` is found.
    if (name === '*' && module.startsWith(`${local}.`) && tables.isPackagePart(local))
      return [{ kind: 'package', name: local }]
    if (name === '*') return tables.packages(module).map(each => ({ kind: 'package', name: each }))
    const { language } = file.code
    const found = insideOf(module, name)
    if (found.length > 0) return asMeanings(found)
    // Modules of Rust are named from where they are used as well.
    const beside = language === 'rust' ? insideOf(`${tables.packageOf(file)}.${module}`, name) : []
    if (beside.length > 0) return asMeanings(beside)
    const whole = module === '' ? name : `${module}.${name}`
    if (!/^(python|rust|java)$/.test(language)) return []
    return tables.packages(whole).map(each => ({ kind: 'package', name: each }))
  }

  function insideOf(module: string, name: string): readonly Found[] {
    const direct = tables.packages(module).flatMap(each => tables.inPackage(each, name))
    if (direct.length > 0) return direct
    const dot = module.lastIndexOf('.')
    if (module === '') return []
    const holders = dot < 0 ? tables.inPackage('', module) : insideOf(module.slice(0, dot), module.slice(dot + 1))
    return holders.flatMap(each => {
      if (isType(each)) return members(each, name)
      return symbolAt(each)?.kind === 'module' ? named(each.file, each.number, name) : []
    })
  }
}
