import { isData, jsonData, type JsonData } from './json-text.ts'
import type { Mapped } from './mapped-names.ts'

/** Module names in a package.json, with paths as written. */
export interface PackageSettings {
  readonly kind: 'package'
  readonly name?: string
  /** Files that may stand for the whole package, the best first. */
  readonly main: readonly string[]
  readonly exports: readonly Mapped[]
  readonly imports: readonly Mapped[]
}

/** Module names in a tsconfig.json. */
interface CompilerSettings {
  readonly kind: 'compiler'
  /** Later ones override earlier ones. */
  readonly extends: readonly string[]
  readonly references: readonly string[]
  readonly baseUrl?: string
  readonly paths?: readonly Mapped[]
}

export type ModuleSettings = PackageSettings | CompilerSettings

/** The usual name of the compiler's settings. */
export const COMPILER_SETTINGS = 'tsconfig.json'

/** Reports whether a file configures the compiler. */
export const isCompilerSettings = (path: string): boolean => /(?:^|\/)[tj]sconfig[^/]*\.json$/.test(path)

/** Reports whether a file defines module names. Installed packages are not part of the workspace. */
export const isSettings = (path: string): boolean =>
  path.endsWith('.json') &&
  /(?:^|\/)(?:package|[tj]sconfig[^/]*)\.json$/.test(path) &&
  !/(?:^|\/)node_modules\//.test(path)

/** Returns undefined if the file is neither or cannot be read. */
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

/** Otherwise it is the target of the whole package. */
const isSubpaths = (value: unknown): boolean => isData(value) && Object.keys(value).some(key => key.startsWith('.'))

function entries(value: unknown, sign: string): readonly Mapped[] {
  if (!isData(value)) return []
  return Object.entries(value).flatMap(([key, target]) => {
    if (!key.startsWith(sign) || target === undefined) return []
    // `"./lib/": "./src/lib/"` is the old form of a pattern.
    const isOld = key.endsWith('/')
    const targets = [...new Set(underConditions(target))].map(each => (isOld ? `${each}*` : each))
    return [{ pattern: isOld ? `${key}*` : key, targets }]
  })
}

/** The condition closest to the source comes first. */
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
