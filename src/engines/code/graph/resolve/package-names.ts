import { posix } from 'node:path'
import type { Value } from '../../symbols/file-code.ts'
import { isCompanion, symbolAt, type Found, type Project, type ProjectFile } from './project.ts'

/** What the meaning of a value says about its type. */
interface Typed {
  readonly kind: string
  readonly at?: Found
  readonly name?: string
}

/** Names of languages whose files see each other by package and not by path. */
export interface PackageNames {
  /** Whether names of this file are looked for so. */
  knows(file: ProjectFile): boolean
  /** What a name that stands alone means in a file: its own, what it imports, its package's. */
  find(name: string, file: ProjectFile): readonly Found[]
  /** The file that a module is, where modules are named by their paths. */
  moduleFile(module: string, from: ProjectFile): ProjectFile | undefined
  inPackage(packaged: string, name: string, file: ProjectFile): readonly Found[]
  /** The packages or modules that a dotted name may mean: a module may have another name where it is imported. */
  paths(value: Value, file: ProjectFile): readonly string[]
  /** Functions that add to a type from outside, as far as the file sees them; of any type where none is known. */
  extensions(name: string, file: ProjectFile, types: readonly string[]): readonly Found[]
  typeNames(meaning: Typed): readonly string[]
}

const SCRIPTS = /^(typescript|javascript|vue)$/
const familyOf = ({ code: { language } }: ProjectFile): string =>
  /^(java|kotlin)$/.test(language) ? 'jvm' : language === 'cpp' ? 'c' : language
/** All of their files see each other. */
const OPEN = /^(c|cpp|ruby|swift)$/

export function packageNames(project: Project): PackageNames {
  /** By family and package, then by name. */
  const tops = new Map<string, Map<string, Found[]>>()
  const byModule = new Map<string, ProjectFile>()
  let headers: readonly ProjectFile[] | undefined
  for (const file of project.files.values()) {
    if (SCRIPTS.test(file.code.language)) continue
    const key = `${familyOf(file)}\0${packageOf(file)}`
    const own = tops.get(key) ?? new Map<string, Found[]>()
    tops.set(key, own)
    for (const number of atTop(file, -1)) {
      const name = file.code.symbols[number]?.name ?? ''
      own.set(name, [...(own.get(name) ?? []), { file, number }])
    }
    byModule.set(`${familyOf(file)}\0${moduleName(file.path)}`, file)
  }

  const names: PackageNames = {
    moduleFile,
    knows: file => !SCRIPTS.test(file.code.language),
    find(name, file) {
      const own = atTop(file, -1).filter(number => file.code.symbols[number]?.name === name)
      if (own.length > 0) return own.map(number => ({ file, number }))
      const imported = file.code.imports.filter(each => each.local === name && each.name !== '*')
      for (const each of imported) {
        const found = names.inPackage(each.module, each.name, file)
        if (found.length > 0) return found
      }
      // Imported from where nobody here can look: nothing of the same name in the package is meant.
      if (imported.length > 0) return []
      const beside = among(packageOf(file), name, file).filter(each => isOpenTo(each, file))
      if (beside.length > 0) return beside
      return file.code.imports
        .filter(each => each.name === '*')
        .flatMap(each => names.inPackage(each.module, name, file))
    },
    inPackage(packaged, name, file) {
      const found = among(packaged, name, file)
      if (found.length > 0) return found
      const module = moduleFile(packaged, file)
      if (module) {
        const inModule = (module.inside.get(-1) ?? []).filter(number => module.code.symbols[number]?.name === name)
        if (inModule.length > 0) return inModule.map(number => ({ file: module, number }))
        const passedOn = module.code.imports.find(each => each.local === name && each.name !== '*')
        if (passedOn && passedOn.module !== packaged) return names.inPackage(passedOn.module, passedOn.name, module)
      }
      // The last word may be a class: `import static org.app.Tool.run`.
      const dot = packaged.lastIndexOf('.')
      const [outer, last] = dot < 0 ? ['', packaged] : [packaged.slice(0, dot), packaged.slice(dot + 1)]
      if (last === '') return []
      return among(outer, last, file).flatMap(({ file: holder, number }) =>
        (holder.inside.get(number) ?? [])
          .flatMap(each => [
            each,
            ...(isCompanion({ file: holder, number: each }) ? (holder.inside.get(each) ?? []) : []),
          ])
          .flatMap(each => (holder.code.symbols[each]?.name === name ? [{ file: holder, number: each }] : [])),
      )
    },
    paths(value, { code }) {
      const dotted = dottedName(value)
      if (dotted === undefined) return []
      if (code.language !== 'python') return [dotted]
      const [first = ''] = dotted.split('.')
      const rest = dotted.slice(first.length)
      return code.imports.flatMap(({ module, name, local }) => {
        if (local !== first) return []
        if (name !== '*') return submodule(module, name) + rest
        // `import a.b` brings `a`, and `a.b` is written out where it is used.
        return module.startsWith(`${first}.`) ? dotted : module + rest
      })
    },
    extensions: (name, file, types) =>
      names.find(name, file).filter(at => {
        const receiver = symbolAt(at)?.receiver
        return receiver !== undefined && (types.length === 0 || types.includes(simpleName(receiver)))
      }),
    typeNames(meaning) {
      if (meaning.kind === 'builtin') return meaning.name === undefined || meaning.name === '' ? [] : [meaning.name]
      if (meaning.kind !== 'instance' || !meaning.at) return []
      const symbol = symbolAt(meaning.at)
      return symbol ? [symbol.name] : []
    },
  }
  return names

  function among(packaged: string, name: string, file: ProjectFile): readonly Found[] {
    return tops.get(`${familyOf(file)}\0${packaged}`)?.get(name) ?? []
  }

  /** Beside the file itself, or the only one whose path ends so. */
  function includedFile(module: string, from: ProjectFile): ProjectFile | undefined {
    const beside = project.files.get(posix.join(posix.dirname(from.path), module))
    if (beside) return beside
    const name = module.replace(/^(\.\.?\/)+/, '')
    const found = (headers ??= [...project.files.values()].filter(each => familyOf(each) === 'c')).filter(each =>
      ends(each.path, name),
    )
    return found.length === 1 ? found[0] : undefined
  }

  /** The file of a module that is named by its path, from the root of the tree or from any folder above. */
  function moduleFile(module: string, from: ProjectFile): ProjectFile | undefined {
    if (familyOf(from) === 'c') return includedFile(module, from)
    const dots = /^\.+/.exec(module)?.[0].length ?? 0
    const folders = from.path.split('/').slice(0, -1)
    const base = dots > 0 ? folders.slice(0, folders.length - dots + 1) : folders
    const rest = module.slice(dots)
    for (let up = base.length; up >= 0; up--) {
      const name = [...base.slice(0, up), ...(rest === '' ? [] : [rest])].join('.')
      const found = byModule.get(`${familyOf(from)}\0${name}`)
      if (found || dots > 0) return found
    }
    return undefined
  }
}

function ends(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`)
}

/** Files of one folder belong together where nothing else is said; a file of Python is a module of its own. */
function packageOf(file: ProjectFile): string {
  const { code, path } = file
  if (code.package !== undefined) return code.package
  if (OPEN.test(code.language)) return ''
  return code.language === 'python' ? `\0${path}` : path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

/** What stands outside of any class: namespaces are none. */
const atTop = (file: ProjectFile, parent: number): readonly number[] =>
  (file.inside.get(parent) ?? []).flatMap(number =>
    file.code.symbols[number]?.kind === 'module' ? [number, ...atTop(file, number)] : [number],
  )

/** What is static in C, or private in Swift, is for its own file. */
const isOpenTo = (at: Found, { code }: ProjectFile): boolean =>
  !/^(c|cpp|swift)$/.test(code.language) || symbolAt(at)?.exported === true

/** The words of a name; undefined for what is none. */
function dottedName(value: Value): string | undefined {
  if (value[0] === 'name') return value[1] || undefined
  if (value[0] !== 'member') return undefined
  const left = dottedName(value[1])
  return left === undefined ? undefined : `${left}.${value[2]}`
}

/** The path of what is imported from a package, should it be a module. */
export const submodule = (module: string, name: string): string => `${module}${module.endsWith('.') ? '' : '.'}${name}`

const moduleName = (path: string): string =>
  path
    .replace(/\.[^./]+$/, '')
    .replace(/(^|\/)__init__$/, '')
    .replaceAll('/', '.')

/** The name of a type without its package, arguments and marks. */
export const simpleName = (type: string): string => type.replace(/[<?].*$/, '').replace(/^.*\./, '')
