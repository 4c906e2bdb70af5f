import { isData, jsonData, type JsonData } from './json-text.ts'
import type { Mapped } from './mapped-names.ts'

/** What a package.json says about names of modules, with paths as they are written there. */
export interface PackageSettings {
  readonly kind: 'package'
  readonly name?: string
  /** Files that may stand for the whole package, the best first. */
  readonly main: readonly string[]
  readonly exports: readonly Mapped[]
  readonly imports: readonly Mapped[]
}

/** What a tsconfig.json says about them. */
interface CompilerSettings {
  readonly kind: 'compiler'
  /** The later ones go before the earlier. */
  readonly extends: readonly string[]
  readonly references: readonly string[]
  readonly baseUrl?: string
  readonly paths?: readonly Mapped[]
}

export type ModuleSettings = PackageSettings | CompilerSettings

/** Reports whether a file says which names modules go by. What is installed is no part of the workspace. */
export const isSettings = (path: string): boolean =>
  path.endsWith('.json') &&
  /(?:^|\/)(?:package|[tj]sconfig[^/]*)\.json$/.test(path) &&
  !/(?:^|\/)node_modules\//.test(path)

/** Undefined if the file is none of these or cannot be read. */
export function moduleSettings(path: string, text: string): ModuleSettings | undefined {
  if (!isSettings(path)) return undefined
  const data = jsonData(text)
  return data && (path.endsWith('package.json') ? ofPackage(data) : ofCompiler(data))
}

function ofPackage(data: JsonData): PackageSettings {
  const { name } = data
  return {
    kind: 'package',
    ...(typeof name === 'string' && { name }),
    main: strings([data['source'], data['types'], data['typings'], data['module'], data['main']]),
    exports: entries(isSubpaths(data['exports']) ? data['exports'] : { '.': data['exports'] }, '.'),
    imports: entries(data['imports'], '#'),
  }
}

/** Else it is what the whole package stands for. */
const isSubpaths = (value: unknown): boolean => isData(value) && Object.keys(value).some(key => key.startsWith('.'))

function entries(value: unknown, sign: string): readonly Mapped[] {
  if (!isData(value)) return []
  return Object.entries(value).flatMap(([key, target]) => {
    if (!key.startsWith(sign) || target === undefined) return []
    // `"./lib/": "./src/lib/"` is how patterns were written once.
    const isOld = key.endsWith('/')
    const targets = [...new Set(underConditions(target))].map(each => (isOld ? `${each}*` : each))
    return [{ pattern: isOld ? `${key}*` : key, targets }]
  })
}

/** What is closest to the source comes first. */
const CONDITIONS = ['source', 'development', 'types']

function underConditions(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(underConditions)
  if (!isData(value)) return []
  const first = CONDITIONS.flatMap(each => underConditions(value[each]))
  return [
    ...first,
    ...Object.entries(value).flatMap(([key, each]) => (CONDITIONS.includes(key) ? [] : underConditions(each))),
  ]
}

function ofCompiler(data: JsonData): CompilerSettings {
  const options = isData(data['compilerOptions']) ? data['compilerOptions'] : {}
  const { baseUrl, paths } = options
  const references = Array.isArray(data['references']) ? data['references'] : []
  return {
    kind: 'compiler',
    extends: strings([data['extends']].flat()),
    references: strings(references.map(each => (isData(each) ? each['path'] : undefined))),
    ...(typeof baseUrl === 'string' && { baseUrl }),
    ...(isData(paths) && {
      paths: Object.entries(paths).map(([pattern, targets]) => ({ pattern, targets: strings([targets].flat()) })),
    }),
  }
}

const strings = (values: readonly unknown[]): readonly string[] => values.filter(each => typeof each === 'string')
