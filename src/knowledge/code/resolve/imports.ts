import type { ImportBinding } from '../../model/file-model.ts'
import type { Meaning } from './meaning.ts'
import type { ProjectFile } from './project.ts'
import { asSymbols, NONE, type Resolution } from './resolution.ts'

/** Languages in which a module has what it imports. */
const PASSES_ON = /^(python|rust)$/

/** What an import of a language with packages brings. */
export function importedBy(
  resolution: Resolution,
  { module, name, local }: ImportBinding,
  file: ProjectFile,
): readonly Meaning[] {
  const { names, meanings } = resolution
  const packages = (of: string): readonly Meaning[] =>
    names.packages(of, file).map(each => meanings.package(each, file))
  if (name === '*') {
    // `import a.b` brings `a`, in which `b` is found.
    const rest = module.startsWith(`${local}.`) ? module.slice(local.length) : ''
    const found = names
      .packages(module, file)
      .map(each => (each.endsWith(rest) ? each.slice(0, each.length - rest.length) : each))
    return found.map(each => meanings.package(each, file))
  }
  const found = insideOf(resolution, module, name, file)
  if (found.length > 0) return found
  // Modules of Rust are named from where they are used as well.
  const isRust = file.code.language === 'rust'
  const beside = isRust ? insideOf(resolution, `${names.packageOf(file)}.${module}`, name, file) : NONE
  if (beside.length > 0) return beside
  if (!/^(python|rust|java)$/.test(file.code.language)) return NONE
  return packages(module === '' ? name : `${module}${module.endsWith('.') ? '' : '.'}${name}`)
}

/** What a package has under this name, or a class or module whose members can be imported. */
export function insideOf(resolution: Resolution, module: string, name: string, file: ProjectFile): readonly Meaning[] {
  const { names, meanings, member } = resolution
  const direct = names.packages(module, file).flatMap(each => member(meanings.package(each, file), name))
  if (direct.length > 0 || module === '') return direct
  // The last parts may be classes: `import static org.app.Tool.run`.
  for (let end = module.length; end > 0;) {
    end = Math.max(module.lastIndexOf('.', end - 1), 0)
    const outer = end === 0 ? [''] : names.packages(module.slice(0, end), file)
    const rest = [...module.slice(end === 0 ? 0 : end + 1).split('.'), name]
    let found: readonly Meaning[] = outer.map(each => meanings.package(each, file))
    for (const part of rest) found = found.flatMap(each => member(each, part))
    if (found.length > 0) return found
  }
  return NONE
}

/** What a package has under a name: declared in it, imported by it where that counts, or a package inside of it. */
export function packageMember(
  resolution: Resolution,
  packaged: string,
  name: string,
  file: ProjectFile,
): readonly Meaning[] {
  const { names, meanings } = resolution
  const own = names.inPackage(packaged, name, file)
  if (own.length > 0) return asSymbols(resolution, own)
  const inner = packaged === '' ? name : `${packaged}.${name}`
  if (PASSES_ON.test(file.code.language)) {
    const passed = names.filesOf(packaged, file).flatMap(each => passedOn(resolution, name, each))
    if (passed.length > 0) return passed
  }
  return names.isPackagePart(inner, file) ? [meanings.package(inner, file)] : NONE
}

function passedOn(resolution: Resolution, name: string, file: ProjectFile): readonly Meaning[] {
  for (const each of file.code.imports) {
    if (each.local === name) {
      const found = importedBy(resolution, each, file)
      if (found.length > 0) return found
    } else if (each.name === '*' && each.local === '') {
      const found = insideOf(resolution, each.module, name, file)
      if (found.length > 0) return found
    }
  }
  return NONE
}
