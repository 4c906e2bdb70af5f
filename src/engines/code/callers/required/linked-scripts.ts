import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { CodeParts } from '../../code-parts.ts'
import { moduleFinder, type ConfigFile } from '../../graph/resolve/modules.ts'
import { seenText } from '../../seen-text.ts'
import type { ModuleOf } from './handed-names.ts'
import { isComponent, scriptRequests, type Requests } from './script-requests.ts'

/** Which scripts of the workspace ask for which. */
export interface LinkedScripts {
  readonly moduleOf: ModuleOf
  /** Files that ask for others in a way that no server follows, with those. */
  readonly requirers: ReadonlyMap<string, readonly string[]>
  /** What components say, by path: they may use what they ask nobody for. */
  readonly components: ReadonlyMap<string, string>
  importersOf(path: string): readonly string[]
}

/** Looks at them when first asked, and then never again. */
export type Scripts = () => Promise<LinkedScripts>

export function scriptsOf(parts: CodeParts): Scripts {
  let known: Promise<LinkedScripts> | undefined
  return () => (known ??= linked(parts))
}

async function linked(parts: CodeParts): Promise<LinkedScripts> {
  const requests = await scriptRequests(parts)
  const components = new Map(
    [...requests.keys()].filter(isComponent).map(path => [path, seenText(parts.root, parts.staging, path) ?? '']),
  )
  const isAny = components.size > 0 || [...requests.values()].some(({ required }) => required.some(isOurs))
  if (!isAny) return { moduleOf: () => undefined, requirers: new Map(), components, importersOf: () => [] }
  const moduleOf = moduleFinder(file => requests.has(file), configsFor(parts, requests))
  const modulesIn = (path: string, specifiers: readonly string[]) => [
    ...new Set(specifiers.flatMap(each => moduleOf(path, each) ?? [])),
  ]
  const requirers = new Map<string, readonly string[]>()
  for (const [path, { required }] of requests) {
    const modules = required.length > 0 ? modulesIn(path, required) : []
    if (modules.length > 0) requirers.set(path, modules)
  }
  let importers: Map<string, string[]> | undefined
  return { moduleOf, requirers, components, importersOf: path => (importers ??= importersIn()).get(path) ?? [] }

  function importersIn(): Map<string, string[]> {
    const found = new Map<string, string[]>()
    for (const [path, { all }] of requests)
      for (const module of modulesIn(path, all)) {
        const list = found.get(module)
        if (list) list.push(path)
        else found.set(module, [path])
      }
    return found
  }
}

/** Not one of the platform. */
const isOurs = (specifier: string): boolean => !isBuiltin(specifier)

/** Configurations that give folders names; none where every module is named by its place. */
function configsFor({ root, staging }: CodeParts, requests: ReadonlyMap<string, Requests>): readonly ConfigFile[] {
  const isNamed = (specifier: string) => !specifier.startsWith('.') && isOurs(specifier)
  if (![...requests.values()].some(({ all }) => all.some(isNamed))) return []
  const folders = new Set<string>()
  for (const path of requests.keys())
    for (let folder = posix.dirname(path); !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder)
  return [...folders].flatMap(folder =>
    ['tsconfig.json', 'package.json'].flatMap(name => {
      const path = posix.join(folder, name)
      const text = seenText(root, staging, path)
      return text === undefined ? [] : [{ path, text }]
    }),
  )
}
