import { posix } from 'node:path'
import { isScript, languageNamed } from '../../../languages/registry.ts'
import type { ImportBinding } from '../../../languages/file-model/file-model.ts'
import type { Meaning } from './meaning.ts'
import type { ProjectFile } from './project.ts'
import { NONE, asSymbols, type Resolution } from './resolution.ts'

/** The meaning of an import in a language with packages. */
export function importedBy(
  resolution: Resolution,
  { module, name, local }: ImportBinding,
  file: ProjectFile,
): readonly Meaning[] {
  const { names, meanings } = resolution
  const packages = (of: string): readonly Meaning[] =>
    names.packages(of, file).map(each => meanings.package(each, file))
  if (name === '*') {
    // `import a.b` binds `a`, which contains `b`.
    const rest = module.startsWith(`${local}.`) ? module.slice(local.length) : ''
    const packageNames = names
      .packages(module, file)
      .map(each => (each.endsWith(rest) ? each.slice(0, each.length - rest.length) : each))
    return packageNames.map(each => meanings.package(each, file))
  }
  const members = insideOf(resolution, module, name, file)
  if (members.length > 0) return members
  const { importsBeside, importsPackages } = languageNamed(file.code.language)
  const beside = importsBeside ? insideOf(resolution, `${names.packageOf(file)}.${module}`, name, file) : NONE
  if (beside.length > 0) return beside
  if (!importsPackages) return NONE
  return packages(module === '' ? name : `${module}${module.endsWith('.') ? '' : '.'}${name}`)
}

/** The member of a package under this name, or of a class or module whose members can be imported. */
export function insideOf(resolution: Resolution, module: string, name: string, file: ProjectFile): readonly Meaning[] {
  const { names, meanings, member } = resolution
  const direct = names.packages(module, file).flatMap(each => member(meanings.package(each, file), name))
  if (direct.length > 0 || module === '') return direct
  // The last parts may be classes: `import static org.app.Tool.run`.
  for (let end = module.length; end > 0;) {
    end = Math.max(module.lastIndexOf('.', end - 1), 0)
    const outer = end === 0 ? [''] : names.packages(module.slice(0, end), file)
    const rest = [...module.slice(end === 0 ? 0 : end + 1).split('.'), name]
    let matches: readonly Meaning[] = outer.map(each => meanings.package(each, file))
    for (const part of rest) matches = matches.flatMap(each => member(each, part))
    if (matches.length > 0) return matches
  }
  return NONE
}

/** The member of a package: declared in it, imported by it if the language counts that, or a nested package. */
export function packageMember(
  resolution: Resolution,
  packageName: string,
  name: string,
  file: ProjectFile,
): readonly Meaning[] {
  const { names, meanings } = resolution
  const declarations = names.inPackage(packageName, name, file)
  if (declarations.length > 0) return asSymbols(resolution, declarations)
  const inner = packageName === '' ? name : `${packageName}.${name}`
  if (languageNamed(file.code.language).passesOnImports === true) {
    const reexports = names.filesOf(packageName, file).flatMap(each => passedOn(resolution, name, each))
    if (reexports.length > 0) return reexports
  }
  return names.isPackagePart(inner, file) ? [meanings.package(inner, file)] : NONE
}

function passedOn(resolution: Resolution, name: string, file: ProjectFile): readonly Meaning[] {
  for (const each of file.code.imports) {
    if (each.local === name) {
      const imports = importedBy(resolution, each, file)
      if (imports.length > 0) return imports
    } else if (each.name === '*' && each.local === '') {
      const members = insideOf(resolution, each.module, name, file)
      if (members.length > 0) return members
    }
  }
  return NONE
}

/** The meaning of a script's import: `*` is the module, `=` its whole export. */
export function importMeanings(resolution: Resolution, target: ProjectFile, name: string): readonly Meaning[] {
  const { meanings, exported } = resolution
  if (name === '*') return [meanings.module(target)]
  if (name === '=') {
    const whole = exported(target, '=')
    const { exports, stars } = target.code
    // Its other exports are found through the module.
    const isMore = whole.length === 0 || stars.length > 0 || exports.some(each => each.name !== '=')
    return isMore ? [...whole, meanings.module(target)] : whole
  }
  const exportMeanings = exported(target, name)
  if (exportMeanings.length > 0) return exportMeanings
  const whole = exported(target, '=')
  return name === 'default' ? whole : whole.flatMap(each => resolution.member(each, name))
}

/** The exports of a module under a name, its own or by `export *`. */
export function exportedBy(resolution: Resolution, target: ProjectFile, name: string): readonly Meaning[] {
  const directExports = target.code.exports
    .filter(each => each.name === name)
    .flatMap(each => resolution.value(each.value, { file: target, by: -1 }))
  if (directExports.length > 0 || name === 'default' || name === '=') return directExports
  for (const star of target.code.stars) {
    const file = resolution.moduleOf(target, star)
    const starExports = file ? importMeanings(resolution, file, name) : NONE
    if (starExports.length > 0) return starExports
  }
  return NONE
}

/** The file of the tree that an import refers to; undefined if there is none, or more than one. */
export function importedFile(
  resolution: Resolution,
  file: ProjectFile,
  binding: ImportBinding,
): ProjectFile | undefined {
  const { language } = file.code
  if (isScript(language)) return resolution.moduleOf(file, binding.module)
  if (languageNamed(language).hasHeaders) return includedFile(resolution, file, binding.module)
  const files = importedBy(resolution, { ...binding, local: '' }, file).flatMap(each => fileOf(resolution, each))
  const [first] = files
  return first ?? moduleFile(resolution, file, binding.module)
}

function fileOf(resolution: Resolution, meaning: Meaning): readonly ProjectFile[] {
  if (meaning.kind === 'symbol') return [meaning.at.file]
  return meaning.kind === 'package' ? only(resolution.names.filesOf(meaning.name, meaning.file)) : []
}

/** The file of a module with a single file. */
function moduleFile({ names }: Resolution, file: ProjectFile, module: string): ProjectFile | undefined {
  return names.packages(module, file).flatMap(each => only(names.filesOf(each, file)))[0]
}

const only = (files: readonly ProjectFile[]): readonly ProjectFile[] => (files.length === 1 ? files : [])

/** The file next to the including one, or the only one whose path ends like this. */
function includedFile({ names }: Resolution, file: ProjectFile, module: string): ProjectFile | undefined {
  const all = names.filesOf(names.packageOf(file), file)
  const place = posix.join(posix.dirname(file.path), module)
  const beside = all.find(each => each.path === place)
  if (beside) return beside
  const name = module.replace(/^(\.\.?\/)+/, '')
  const [first, ...more] = all.filter(({ path }) => path === name || path.endsWith(`/${name}`))
  return more.length === 0 ? first : undefined
}
