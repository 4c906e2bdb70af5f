import type { FileModel, Value } from '../../../model/file-model.ts'

/** The names that modules hand a symbol out under; `=` where it is all that a module hands out. */
export type HandedNames = ReadonlyMap<string, ReadonlySet<string>>

/** The file that a request of a file means. */
export type ModuleOf = (from: string, specifier: string) => string | undefined

/** What a value is as far as one symbol goes: the symbol itself, or something that has it under some names. */
interface Sense {
  readonly isIt: boolean
  readonly under: ReadonlySet<string>
}

const NOTHING: Sense = { isIt: false, under: new Set() }
const IT: Sense = { isIt: true, under: new Set() }

/** Says of the values of a file whether they are one symbol of another. */
export function senseIn(path: string, code: FileModel, handed: HandedNames, moduleOf: ModuleOf) {
  return (value: Value): boolean => sense(value, 0).isIt

  function sense(value: Value, depth: number): Sense {
    return senseOf(path, code, handed, moduleOf, value, depth)
  }
}

const DEEPEST = 20

function senseOf(
  path: string,
  code: FileModel,
  handed: HandedNames,
  moduleOf: ModuleOf,
  value: Value,
  depth: number,
  own?: number,
): Sense {
  const again = (inner: Value) => senseOf(path, code, handed, moduleOf, inner, depth + 1, own)
  if (depth > DEEPEST) return NOTHING
  switch (value[0]) {
    case 'symbol': {
      if (value[1] === own) return IT
      const inner = code.symbols[value[1]]
      return inner?.kind === 'variable' && inner.value ? again(inner.value) : NOTHING
    }
    case 'import': {
      const brought = code.imports[value[1]]
      const module = brought && moduleOf(path, brought.module)
      const names = module === undefined ? undefined : handed.get(module)
      if (!brought || !names) return NOTHING
      if (brought.name === '*') return { isIt: false, under: names }
      return brought.name === '='
        ? { isIt: names.has('='), under: names }
        : { isIt: names.has(brought.name), under: new Set() }
    }
    case 'member':
      return again(value[1]).under.has(value[2]) ? IT : NOTHING
    case 'object': {
      const under = Object.entries(value[1]).filter(([, inner]) => again(inner).isIt)
      return { isIt: false, under: new Set(under.map(([name]) => name)) }
    }
    default:
      return NOTHING
  }
}

/** The names that a file hands out what is meant under: `own` is the number of the symbol where the file declares it. */
export function namesHanded(
  { path, code }: { readonly path: string; readonly code: FileModel },
  handed: HandedNames,
  moduleOf: ModuleOf,
  own?: number,
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { name, value } of code.exports) {
    const { isIt, under } = senseOf(path, code, handed, moduleOf, value, 0, own)
    if (isIt) names.add(name)
    if (name === '=') for (const each of under) names.add(each)
  }
  for (const star of code.stars) {
    const module = moduleOf(path, star)
    for (const name of (module === undefined ? undefined : handed.get(module)) ?? [])
      if (name !== 'default' && name !== '=') names.add(name)
  }
  return names
}
