import { posix } from 'node:path'
import type { ImportBinding } from '../../model/file-model.ts'
import { familyOf, isScript } from './family.ts'
import { importedBy } from './imports.ts'
import type { Meaning } from './meaning.ts'
import type { ProjectFile } from './project.ts'
import type { Resolution } from './resolution.ts'

/** The file of the tree that an import is of; undefined where it is none of them, or more than one. */
export function importedFile(
  resolution: Resolution,
  file: ProjectFile,
  imported: ImportBinding,
): ProjectFile | undefined {
  const { language } = file.code
  if (isScript(language)) return resolution.moduleOf(file, imported.module)
  if (familyOf(language) === 'c') return includedFile(resolution, file, imported.module)
  const found = importedBy(resolution, { ...imported, local: '' }, file).flatMap(each => fileOf(resolution, each))
  const [first] = found
  return first ?? moduleFile(resolution, file, imported.module)
}

function fileOf(resolution: Resolution, meaning: Meaning): readonly ProjectFile[] {
  if (meaning.kind === 'symbol') return [meaning.at.file]
  return meaning.kind === 'package' ? only(resolution.names.filesOf(meaning.name, meaning.file)) : []
}

/** The file of a module that has only one. */
function moduleFile({ names }: Resolution, file: ProjectFile, module: string): ProjectFile | undefined {
  return names.packages(module, file).flatMap(each => only(names.filesOf(each, file)))[0]
}

const only = (files: readonly ProjectFile[]): readonly ProjectFile[] => (files.length === 1 ? files : [])

/** Beside the file itself, or the only one whose path ends so. */
function includedFile({ names }: Resolution, file: ProjectFile, module: string): ProjectFile | undefined {
  const all = names.filesOf(names.packageOf(file), file)
  const place = posix.join(posix.dirname(file.path), module)
  const beside = all.find(each => each.path === place)
  if (beside) return beside
  const name = module.replace(/^(\.\.?\/)+/, '')
  const [first, ...more] = all.filter(({ path }) => path === name || path.endsWith(`/${name}`))
  return more.length === 0 ? first : undefined
}
