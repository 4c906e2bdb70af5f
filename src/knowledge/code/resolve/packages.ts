import { languageOf } from '../../model/languages.ts'
import { EMPTY_MODEL, type FileModel } from '../../model/file-model.ts'
import { familyOf } from './family.ts'

/** The packages of files, including unparsed ones. */
export interface Packages {
  /** Package names with their family of languages. */
  readonly all: ReadonlyMap<string, string>
  of(path: string, code: FileModel): string
}

/** Each file's own declaration. */
export const OWN_PACKAGES: Packages = { all: new Map(), of: packageOf }

/** The packages of texts; those of Go by their module. */
export function packagesIn(texts: ReadonlyMap<string, string>): Packages {
  const modules = [...texts].flatMap(([path, text]) => {
    const name = isModuleFile(path) ? /^[ \t]*module\s+"?([^\s"]+)/m.exec(text)?.[1] : undefined
    return name === undefined ? [] : [{ folder: path.slice(0, -'go.mod'.length), name: name.replaceAll('/', '.') }]
  })
  // The nearest one counts.
  modules.sort((one, other) => other.folder.length - one.folder.length)
  const of = (path: string, code: FileModel): string => {
    const module = code.language === 'go' ? modules.find(({ folder }) => path.startsWith(folder)) : undefined
    if (!module) return packageOf(path, code)
    return [module.name, ...path.slice(module.folder.length).split('/').slice(0, -1)].join('.')
  }
  const all = [...texts].map(([path, text]) => {
    const code = writtenCode(path, text)
    return [of(path, code), familyOf(code.language)] as const
  })
  return { of, all: new Map(all) }
}

/** Reports whether a file names a Go module. */
export const isModuleFile = (path: string): boolean => /(^|\/)go\.mod$/.test(path)

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
  switch (language) {
    case 'go':
      return folders.join('.')
    case 'python':
      return (name === '__init__' ? folders : [...folders, name]).join('.')
    case 'rust':
      return (/^(mod|lib|main)$/.test(name) ? folders : [...folders, name]).filter(each => each !== 'src').join('.')
    default:
      return said ?? ''
  }
}
