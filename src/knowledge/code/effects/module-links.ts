import { builtPackages, isBuiltPath } from '../resolve/built-packages.ts'
import { moduleFinder, type ConfigFile } from '../resolve/modules.ts'
import { once, oncePer } from '../../../kernel/once.ts'
import { includedFiles } from './included-files.ts'
import { familyOf } from './module-facts.ts'
import { pythonModules } from './python-modules.ts'

/** The target of a request. */
interface Led {
  /** The workspace files that it may refer to. */
  readonly to: readonly string[]
  /** It refers to the source of a workspace package, but a server sees only the last build. */
  readonly isBuilt: boolean
}

export type Links = (from: string, request: string) => Led

export function moduleLinks(files: ReadonlyMap<string, unknown>, configs: readonly ConfigFile[]): Links {
  const has = (path: string) => files.has(path)
  const script = moduleFinder(has, configs)
  const inSource = moduleFinder(path => has(path) && !isBuiltPath(path), configs)
  const packages = builtPackages(has, configs)
  const python = pythonModules(has)
  const includeFinder = once(() => includedFiles(files.keys()))
  /** An unresolved request may refer to any file of the package. */
  const allOf = oncePer((folder: string) => [...files.keys()].filter(path => path.startsWith(folder)))
  return (from, request) => {
    if (familyOf(from) === 'c') return { to: includeFinder()(request), isBuilt: false }
    if (familyOf(from) === 'python') return { to: python(from, request), isBuilt: false }
    const scriptFiles = script(from, request) ?? []
    if (!packages.isBuilt(from, request)) return { to: [scriptFiles].flat(), isBuilt: false }
    const source = inSource(from, request) ?? allOf(packages.folderOf(from, request) ?? '')
    return { to: [...new Set([scriptFiles, source].flat())], isBuilt: true }
  }
}
