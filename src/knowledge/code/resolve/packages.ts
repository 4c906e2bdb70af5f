import { familyOf, languageNamed, languageOf, LANGUAGES } from '../../../languages/registry.ts'
import type { Language } from '../../../languages/language.ts'
import { EMPTY_MODEL, type FileModel } from '../../../languages/file-model/file-model.ts'

/** The packages of files, including unparsed ones. */
export interface Packages {
  /** Package names with their family of languages. */
  readonly all: ReadonlyMap<string, string>
  of(path: string, code: FileModel): string
}

/** Each file's own declaration. */
export const OWN_PACKAGES: Packages = { all: new Map(), of: packageOf }

/** The packages of texts, by the modules that are stated above them. */
export function packagesIn(texts: ReadonlyMap<string, string>): Packages {
  const modules = [...texts].flatMap(([path, text]) => {
    const language = moduleFileLanguage(path)
    const name = language?.moduleFile?.states.exec(text)?.[1]
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    return name === undefined ? [] : [{ folder, name: name.replaceAll('/', '.'), language: language?.name }]
  })
  // The nearest one counts.
  modules.sort((one, other) => other.folder.length - one.folder.length)
  const of = (path: string, code: FileModel): string => {
    const module = modules.find(({ folder, language }) => language === code.language && path.startsWith(folder))
    if (!module) return packageOf(path, code)
    return [module.name, ...path.slice(module.folder.length).split('/').slice(0, -1)].join('.')
  }
  const all = [...texts].map(([path, text]) => {
    const code = writtenCode(path, text)
    return [of(path, code), familyOf(code.language)] as const
  })
  return { of, all: new Map(all) }
}

/** The language in which a file names the module of its folder. */
export const moduleFileLanguage = (path: string): Language | undefined =>
  LANGUAGES.find(({ moduleFile }) => moduleFile?.name === path.slice(path.lastIndexOf('/') + 1))

/** The package that a file declares, without parsing it. */
function writtenCode(path: string, text: string): FileModel {
  const language = languageOf(path) ?? ''
  const packageName = /^[ \t]*(?:package|namespace)\s+([\w.\\]+)/m.exec(text)?.[1]?.replaceAll('\\', '.')
  return { language, ...EMPTY_MODEL, ...(packageName !== undefined && { package: packageName }) }
}

/** The dotted package of a file: its own declaration, else from its path. */
function packageOf(path: string, { language, package: said }: FileModel): string {
  const folders = path.split('/').slice(0, -1)
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  return languageNamed(language).packageOf?.(folders, name) ?? said ?? ''
}
