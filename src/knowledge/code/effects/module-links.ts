import { familyOf, languageAt, languageNamed } from '../../../languages/registry.ts'
import { builtPackages, isBuiltPath } from '../../../languages/javascript/modules/built-packages.ts'
import { moduleFinder, type ConfigFile } from '../../../languages/javascript/modules/module-finder.ts'
import { oncePer } from '../../../kernel/once.ts'

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
  const modules = moduleFinder(has, configs)
  const inSource = moduleFinder(path => has(path) && !isBuiltPath(path), configs)
  const packages = builtPackages(has, configs)
  const finders = oncePer((family: string) => languageNamed(family).importedFiles?.(new Set(files.keys())))
  /** An unresolved request may refer to any file of the package. */
  const allOf = oncePer((folder: string) => [...files.keys()].filter(path => path.startsWith(folder)))
  return (from, request) => {
    const find = finders(familyOf(languageAt(from).name))
    if (find) return { to: find(from, request), isBuilt: false }
    const found = modules(from, request) ?? []
    if (!packages.isBuilt(from, request)) return { to: [found].flat(), isBuilt: false }
    const source = inSource(from, request) ?? allOf(packages.folderOf(from, request) ?? '')
    return { to: [...new Set([found, source].flat())], isBuilt: true }
  }
}
