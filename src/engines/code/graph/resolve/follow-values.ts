import type { Value } from '../../symbols/file-code.ts'
import { followedExports } from './followed-exports.ts'
import { isCompanion, named, symbolAt, type Found, type Project, type ProjectFile } from './project.ts'
import { simpleName, type PackageNames } from './package-names.ts'
import type { Meaning, Meanings } from './meaning.ts'
import { elementIn, handedBy, resultOfBuiltin } from './builtins.ts'
import { requiredAs } from './required-as.ts'

type InstanceValue = Extract<Value, readonly ['instance', ...unknown[]]>

const NONE: readonly Meaning[] = []
const MOST_DEEP = 60
/** Types that stand for their first argument. */
const TRANSPARENT = new Set(['Readonly', 'Partial', 'Required', 'NonNullable', 'Awaited', 'Pick', 'Omit', 'NoInfer'])

/** Follows values over files; `moduleOf` says which file an import of a script means, `names` what packages hold. */
export function meaningsOf(
  project: Project,
  moduleOf: (from: string, specifier: string) => string | undefined,
  names: PackageNames,
): Meanings {
  const known = new WeakMap<Value, readonly Meaning[]>()
  const busy = new Set<Value>()
  let deep = 0
  /** Where the one stands whose value is asked about. */
  let around = -1

  const meanings: Meanings = {
    of(value, file) {
      const before = known.get(value)
      if (before) return before
      if (busy.has(value) || deep > MOST_DEEP) return NONE
      busy.add(value)
      deep++
      const found = find(value, file)
      deep--
      busy.delete(value)
      // What was cut short by a ring is asked anew from elsewhere.
      if (found.length > 0 || busy.size === 0) known.set(value, found)
      return found
    },
    symbols(value, file, by) {
      around = by
      // `super()` runs the class above.
      const isCalled = (kind: string): boolean => kind === 'symbol' || (kind === 'instance' && value[0] === 'super')
      const placesOf = (each: Value) =>
        meanings.of(each, file).flatMap(found => ('at' in found && isCalled(found.kind) ? [found.at] : []))
      const required = requiredAs(value, file)
      const found = required ? placesOf(required) : []
      return found.length > 0 ? found : placesOf(value)
    },
    member,
    settled,
    result,
    made,
    element: meaning => elementIn(meanings, meaning),
  }
  const { imported, exported } = followedExports(project, moduleOf, meanings)
  return meanings

  function find(value: Value, file: ProjectFile): readonly Meaning[] {
    switch (value[0]) {
      case 'symbol':
        return [{ kind: 'symbol', at: { file, number: value[1] } }]
      case 'import': {
        const from = file.code.imports[value[1]]
        const path = from && moduleOf(file.path, from.module)
        const target = path === undefined ? undefined : project.files.get(path)
        if (!from || !target) return NONE
        return imported(target, from.name)
      }
      case 'member':
        return ofMember(value[1], value[2], file)
      case 'sign':
        return meanings.of(value[1], file).flatMap(settled).some(isObject) ? ofMember(value[1], value[2], file) : NONE
      case 'instance':
        return instance(value, file)
      case 'super':
        return meaningsAbove({ file, number: value[1] }).flatMap(each => made(each))
      case 'result': {
        const callee = value[1]
        if (callee[0] === 'member') {
          const special = meanings
            .of(callee[1], file)
            .flatMap(settled)
            .flatMap(each => resultOfBuiltin(meanings, each, callee[2]))
          if (special.length > 0) return special
        }
        return meanings.of(callee, file).flatMap(result)
      }
      case 'element':
        return meanings
          .of(value[1], file)
          .flatMap(settled)
          .flatMap(each => elementIn(meanings, each))
      case 'awaited':
        return meanings
          .of(value[1], file)
          .flatMap(settled)
          .flatMap(each => (each.kind === 'builtin' && /^Promise(Like)?$/.test(each.name) ? argument(each, 0) : [each]))
      case 'either':
        return value.slice(1).flatMap(each => meanings.of(each as Value, file))
      case 'handed':
        return handedBy(meanings, value, file)
      case 'list':
      case 'function':
      case 'object':
        return [{ kind: 'shape', file, value }]
      case 'name':
        return unbound(value[1], file)
    }
  }

  /** A name that the file does not bind: of the classes around, of the file, its imports or its package. */
  function unbound(name: string, file: ProjectFile): readonly Meaning[] {
    if (!names.knows(file)) return NONE
    for (let at = around; at >= 0; at = file.code.symbols[at]?.parent ?? -1) {
      const inner = named(file, at, name).map((each): Meaning => ({ kind: 'symbol', at: each }))
      if (inner.length > 0) return inner
      for (const holder of holdersAt(file, at)) {
        const found = inherited(holder, name, false, new Set())
        if (found.length > 0) return found
      }
    }
    return names.find(name, file).map((at): Meaning => ({ kind: 'symbol', at }))
  }

  /** Whose members can be named without them: a class around, and what an extension function extends. */
  function holdersAt(file: ProjectFile, number: number): readonly Found[] {
    const symbol = file.code.symbols[number]
    if (!symbol) return []
    if (/^(class|interface|enum)$/.test(symbol.kind)) return [{ file, number }]
    return symbol.receiver === undefined ? [] : names.find(simpleName(symbol.receiver), file)
  }

  function ofMember(of: Value, name: string, file: ProjectFile): readonly Meaning[] {
    const owners = meanings.of(of, file)
    const found = owners.flatMap(each => member(each, name))
    if (found.length > 0 || !names.knows(file)) return found
    const types = owners.flatMap(settled).flatMap(each => names.typeNames(each))
    const extended = names.extensions(name, file, types)
    if (extended.length > 0) return extended.map((at): Meaning => ({ kind: 'symbol', at }))
    // `org.app.Tool.run`: a package is no value.
    for (const each of names.paths(of, file)) {
      const inside = names.inPackage(each, name, file)
      if (inside.length > 0) return inside.map((at): Meaning => ({ kind: 'symbol', at }))
    }
    return NONE
  }

  function member(meaning: Meaning, name: string): readonly Meaning[] {
    switch (meaning.kind) {
      case 'module': {
        const found = exported(meaning.file, name)
        return found.length > 0 || name === '='
          ? found
          : exported(meaning.file, '=').flatMap(each => member(each, name))
      }
      case 'instance':
        return inherited(meaning.at, name, false, new Set())
      case 'shape': {
        const { value, file } = meaning
        const part = value[0] === 'object' && Object.hasOwn(value[1], name) ? value[1][name] : undefined
        return part ? meanings.of(part, file) : NONE
      }
      case 'builtin':
        return meaning.name === 'Record' ? argument(meaning, 1) : NONE
      case 'symbol': {
        const symbol = symbolAt(meaning.at)
        if (symbol?.kind === 'class') return inherited(meaning.at, name, true, new Set())
        const own = besides(meaning.at, name)
        if (own.length > 0) return own
        const next = settled(meaning)
        return next.flatMap(each => (each === meaning ? NONE : member(each, name)))
      }
    }
  }

  /** Members of a namespace, of an object that is a variable, or of a namespace beside a function or class of its name. */
  function besides({ file, number }: Found, name: string): readonly Meaning[] {
    const symbol = file.code.symbols[number]
    if (!symbol) return NONE
    const spaces = named(file, symbol.parent, symbol.name).filter(each => symbolAt(each)?.kind === 'module')
    const holders = symbol.kind === 'variable' ? [...spaces, { file, number }] : spaces
    return holders.flatMap(each => named(file, each.number, name)).map(at => ({ kind: 'symbol', at }))
  }

  function inherited(at: Found, name: string, isStatic: boolean, seen: Set<unknown>): readonly Meaning[] {
    const symbol = symbolAt(at)
    if (!symbol || seen.has(symbol)) return NONE
    seen.add(symbol)
    const isScript = !names.knows(at.file)
    const own = membersOf(at, name).filter(each => !isScript || (symbolAt(each)?.isStatic ?? false) === isStatic)
    // Elsewhere there may be several that take different arguments.
    if (own.length > 0) return (isScript ? own.slice(0, 1) : own).map(each => ({ kind: 'symbol', at: each }))
    if (isStatic) {
      const spaces = besides(at, name)
      if (spaces.length > 0) return spaces
    }
    // Interfaces of one name add up.
    const merged = named(at.file, symbol.parent, symbol.name).filter(
      each => each.number !== at.number && /^(interface|class)$/.test(symbolAt(each)?.kind ?? ''),
    )
    for (const each of isStatic ? [] : merged) {
      const found = inherited(each, name, false, seen)
      if (found.length > 0) return found
    }
    for (const above of [...(symbol.extends ?? []), ...(isStatic ? [] : (symbol.implements ?? []))])
      for (const each of meanings.of(above, at.file).flatMap(settled)) {
        const found =
          each.kind === 'symbol' || each.kind === 'instance'
            ? inherited(each.at, name, isStatic, seen)
            : isStatic
              ? NONE
              : member(each, name)
        if (found.length > 0) return found
      }
    return NONE
  }

  /** Of a class of Kotlin those of its companion too. */
  function membersOf({ file, number }: Found, name: string): readonly Found[] {
    const own = named(file, number, name)
    if (own.length > 0 || file.code.language !== 'kotlin') return own
    const companions = (file.inside.get(number) ?? []).filter(each => isCompanion({ file, number: each }))
    return companions.flatMap(each => named(file, each, name))
  }

  function meaningsAbove(at: Found): readonly Meaning[] {
    return symbolAt(at)?.extends?.flatMap(each => meanings.of(each, at.file)) ?? NONE
  }

  function instance([, of, ...args]: InstanceValue, file: ProjectFile): readonly Meaning[] {
    if (of[0] === 'name') {
      const [name, [first]] = [of[1], args]
      if (TRANSPARENT.has(name)) return first ? meanings.of(first, file) : NONE
      if (name === 'ReturnType') return first ? meanings.of(first, file).flatMap(result) : NONE
      if (name === 'InstanceType') return first ? meanings.of(first, file).flatMap(made) : NONE
      const own = unbound(name, file).flatMap(made)
      return own.length > 0 ? own : [{ kind: 'builtin', file, name, args }]
    }
    const found = meanings.of(of, file)
    const types = found.filter(each => each.kind !== 'symbol' || isType(each.at))
    return (types.length > 0 ? types : found).flatMap(made)
  }

  function made(meaning: Meaning): readonly Meaning[] {
    if (meaning.kind !== 'symbol') return [meaning]
    const { at } = meaning
    const symbol = symbolAt(at)
    switch (symbol?.kind) {
      case 'class':
      case 'interface':
      case 'enum':
        return [{ kind: 'instance', at }]
      case 'type':
        // One with members of its own is as good as an interface.
        if (at.file.inside.has(at.number)) return [{ kind: 'instance', at }]
        return symbol.value ? meanings.of(symbol.value, at.file) : NONE
      case 'variable':
        return settled(meaning).flatMap(each => (each === meaning ? NONE : made(each)))
      default:
        return NONE
    }
  }

  function settled(meaning: Meaning): readonly Meaning[] {
    if (meaning.kind !== 'symbol') return [meaning]
    const symbol = symbolAt(meaning.at)
    const isName = symbol?.kind === 'variable' || symbol?.kind === 'property' || symbol?.isAccessor
    if (!symbol || !isName) return [meaning]
    return symbol.value ? meanings.of(symbol.value, meaning.at.file).flatMap(settled) : NONE
  }

  function result(meaning: Meaning): readonly Meaning[] {
    if (meaning.kind === 'shape')
      return meaning.value[0] === 'function' && meaning.value[1] ? meanings.of(meaning.value[1], meaning.file) : NONE
    // An object whose type says that it can be called.
    if (meaning.kind === 'instance') {
      const { value, kind } = symbolAt(meaning.at) ?? {}
      const called = value && kind !== 'class' ? meanings.of(value, meaning.at.file) : NONE
      return called.flatMap(each => (each.kind === 'shape' ? result(each) : NONE))
    }
    if (meaning.kind !== 'symbol') return NONE
    const symbol = symbolAt(meaning.at)
    if (symbol?.kind === 'function' || (symbol?.kind === 'method' && !symbol.isAccessor))
      return symbol.value ? meanings.of(symbol.value, meaning.at.file) : NONE
    if (symbol?.kind === 'class') return made(meaning)
    return settled(meaning).flatMap(each => (each === meaning ? NONE : result(each)))
  }

  function argument(meaning: Meaning & { kind: 'builtin' }, at: number): readonly Meaning[] {
    const value = meaning.args[at]
    return value ? meanings.of(value, meaning.file) : NONE
  }
}

const isType = (at: Found): boolean => /^(class|interface|type|enum)$/.test(symbolAt(at)?.kind ?? '')

const isObject = ({ kind }: Meaning): boolean => kind === 'instance'
