/** A configuration file of the tree, for names that packages and compilers give to folders. */
export interface ConfigFile {
  readonly path: string
  readonly text: string
}

/** A name, or a pattern with one `*`, that stands for files below a folder. */
export interface PackagePlace {
  /** Empty, or with a `/` at its end. */
  readonly folder: string
  /** Known only to files below its folder. */
  readonly isOwn: boolean
  /** What stands before and behind the `*`; nothing behind it where it is a whole name. */
  readonly pattern: readonly [string, string?]
  readonly targets: readonly string[]
}

/** What `paths` of a tsconfig.json, and `name`, `exports` and `imports` of a package.json, say. */
export function packagesIn(configs: readonly ConfigFile[]): readonly PackagePlace[] {
  return configs.flatMap(({ path, text }) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const data = jsonIn(text)
    if (!data) return []
    return path.endsWith('package.json') ? ofPackage(folder, data) : ofCompiler(folder, data)
  })
}

type Data = Readonly<Record<string, unknown>>

function ofPackage(folder: string, data: Data): readonly PackagePlace[] {
  const { name } = data
  const own = entries(data['imports'], folder, true, key => key)
  if (typeof name !== 'string') return own
  const main = [data['source'], data['types'], data['module'], data['main']].filter(each => typeof each === 'string')
  const exported = entries(data['exports'], folder, false, key => name + key.slice(1))
  return [
    ...exported,
    { folder, isOwn: false, pattern: [name], targets: [...main.flatMap(sources), 'src/index', 'index'] },
    { folder, isOwn: false, pattern: [`${name}/`, ''], targets: ['*', 'src/*'] },
    ...own,
  ]
}

function entries(
  value: unknown,
  folder: string,
  isOwn: boolean,
  named: (key: string) => string,
): readonly PackagePlace[] {
  if (!isData(value)) return []
  return Object.entries(value).flatMap(([key, target]) => {
    if (!/^[.#]/.test(key)) return []
    const targets = stringsIn(target).flatMap(sources)
    return targets.length > 0 ? [{ folder, isOwn, pattern: patternOf(named(key)), targets }] : []
  })
}

function ofCompiler(folder: string, data: Data): readonly PackagePlace[] {
  const options = data['compilerOptions']
  if (!isData(options)) return []
  const base =
    typeof options['baseUrl'] === 'string'
      ? `${options['baseUrl']}/`.replace(/^\.\/|^\/+/, '').replace(/^\.\//, '')
      : ''
  const paths = isData(options['paths']) ? options['paths'] : {}
  return Object.entries(paths).map(([key, targets]) => ({
    folder,
    isOwn: true,
    pattern: patternOf(key),
    targets: stringsIn(targets).map(each => base + each.replace(/^\.\//, '')),
  }))
}

const patternOf = (name: string): readonly [string, string?] => {
  const [before = '', after] = name.split('*')
  return after === undefined ? [before] : [before, after]
}

/** What is built lies elsewhere than what it is built from. */
const sources = (target: string): readonly string[] => {
  const plain = target.replace(/^\.\//, '')
  const named = plain.replace(/\.d\.[cm]?ts$|\.[cm]?jsx?$/, '')
  return [plain, named, named.replace(/^(dist|lib|build|out)\/((esm|cjs|dts|types|es)\/)?/, 'src/')]
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Comments and commas at the end are what compilers allow. */
function jsonIn(text: string): Data | undefined {
  for (const each of [
    text,
    text.replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1').replaceAll(/,(\s*[}\]])/g, '$1'),
  ])
    try {
      const data: unknown = JSON.parse(each)
      return isData(data) ? data : undefined
    } catch {}
  return undefined
}

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
