import { languageOf } from '../../index/facts/languages.ts'
import { NO_CODE, type FileCode } from '../symbols/file-code.ts'
import { packageOf } from './family.ts'

/** What files are part of, also those that are not parsed. */
export interface Packages {
  readonly all: ReadonlySet<string>
  of(path: string, code: FileCode): string
}

/** What each file says for itself. */
export const OWN_PACKAGES: Packages = { all: new Set(), of: packageOf }

/** The packages of texts, those of Go by the modules that they are in. */
export function packagesIn(texts: ReadonlyMap<string, string>): Packages {
  const modules = [...texts].flatMap(([path, text]) => {
    const name = isModuleFile(path) ? /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] : undefined
    return name === undefined ? [] : [{ folder: path.slice(0, -'go.mod'.length), name: name.replaceAll('/', '.') }]
  })
  // The nearest one counts.
  modules.sort((one, other) => other.folder.length - one.folder.length)
  const of = (path: string, code: FileCode): string => {
    const module = code.language === 'go' ? modules.find(({ folder }) => path.startsWith(folder)) : undefined
    if (!module) return packageOf(path, code)
    return [module.name, ...path.slice(module.folder.length).split('/').slice(0, -1)].join('.')
  }
  return { of, all: new Set([...texts].map(([path, text]) => of(path, writtenCode(path, text)))) }
}

/** Whether a file says what a module of Go is called. */
export const isModuleFile = (path: string): boolean => /(^|\/)go\.mod$/.test(path)

/** What a file says to be part of, without parsing it. */
function writtenCode(path: string, text: string): FileCode {
  const language = languageOf(path) ?? ''
  const said = /^\s*(?:package|namespace)\s+([\w.\\]+)/m.exec(text)?.[1]?.replaceAll('\\', '.')
  return { language, ...NO_CODE, ...(said !== undefined && { package: said }) }
}
