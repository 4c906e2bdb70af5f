import { builtPackages, isBuiltPath } from '../resolve/built-packages.ts'
import { moduleFinder, type ConfigFile } from '../resolve/modules.ts'
import { once, oncePer } from '../../../kernel/once.ts'
import { includedFiles } from './included-files.ts'
import { familyOf } from './module-facts.ts'
import { pythonModules } from './python-modules.ts'

/** What a request of a file leads to. */
interface Led {
  /** The files of the workspace that it may mean. */
  readonly to: readonly string[]
  /** It means the source of a package of the workspace, of which a server sees only what was built last. */
  readonly isBuilt: boolean
}

export type Links = (from: string, request: string) => Led

export function moduleLinks(files: ReadonlyMap<string, unknown>, configs: readonly ConfigFile[]): Links {
  const has = (path: string) => files.has(path)
  const script = moduleFinder(has, configs)
  const inSource = moduleFinder(path => has(path) && !isBuiltPath(path), configs)
  const packages = builtPackages(has, configs)
  const python = pythonModules(has)
  const included = once(() => includedFiles(files.keys()))
  /** Whatever nobody finds may be any file of the package. */
  const allOf = oncePer((folder: string) => [...files.keys()].filter(path => path.startsWith(folder)))
  return (from, request) => {
    if (familyOf(from) === 'c') return { to: included()(request), isBuilt: false }
    if (familyOf(from) === 'python') return { to: python(from, request), isBuilt: false }
    const found = script(from, request) ?? []
    if (!packages.isBuilt(from, request)) return { to: [found].flat(), isBuilt: false }
    const source = inSource(from, request) ?? allOf(packages.folderOf(from, request) ?? '')
    return { to: [...new Set([found, source].flat())], isBuilt: true }
  }
}
