import { languageNamed, languageOf, titleOf } from '../../../languages/registry.ts'
import type { Language } from '../../../languages/language.ts'
import type { Value } from '../../../languages/file-model/file-model.ts'
import { wordOf } from '../../../languages/file-model/word-of.ts'
import { isConstructorName } from './call-targets.ts'
import { madeOf } from './members.ts'
import type { Meaning } from './meaning.ts'
import { holderOf, isSame, isType, childrenNamed, symbolAt, type Found, type ProjectFile } from './project.ts'
import type { Resolution } from './resolution.ts'

/** Why code outside of the workspace may call a method: through a base, interface or trait that is declared there. */
export function outsideCallers(resolution: Resolution, at: Found, name: string, texts: Texts): readonly string[] {
  const language = languageNamed(at.file.code.language)
  if (language.traitsAsk) return fromTrait(resolution, at, name)
  if (language.library) return fromInterfaces(resolution, at, name, texts, language.library)
  if (!isOpenToBases(at)) return []
  const method = symbolAt(at)?.name ?? ''
  const types = typesOf(resolution, at)
  if (isNewIn(resolution, at, types)) return []
  const bases = [...types, ...derivedFrom(resolution, types)].flatMap(type => outsideBases(resolution, type))
  const calling = [...new Set(bases)].filter(base => mayCall(language, base, method))
  if (calling.length > 0) return calling.map(base => mayBeCalled(base, name))
  const isFound = types.some(type =>
    aboveOf(resolution, type).some(each => childrenNamed(each.file, each.number, method).length > 0),
  )
  return saysOverride(at) && !isFound
    ? [`What ${name} overrides is declared outside of the workspace, and may call it`]
    : []
}

/** The name of the type of a method, if files that mention it matter: types that derive from it, lookups. */
export function typeAround(at: Found): string | undefined {
  const { isOpenToBases: hasBases, library } = languageNamed(at.file.code.language)
  const isAsked = symbolAt(at)?.kind === 'method' && (hasBases !== undefined || library !== undefined)
  return isAsked ? (symbolAt(holderOf(at))?.name ?? symbolAt(at)?.receiver) : undefined
}

const saysOverride = (at: Found): boolean =>
  symbolAt(at)?.isOverride === true || /\boverride\b/.test(symbolAt(at)?.signature ?? '')

/** Reports whether a type of a library or of the language may call a method of this name. */
function mayCall({ libraryTypes = {} }: Language, type: string, method: string): boolean {
  const methods = Object.hasOwn(libraryTypes, type) ? libraryTypes[type] : undefined
  return methods?.test(method) ?? true
}

/** Reports whether a method is one that a base of its type can ask for. */
function isOpenToBases(at: Found): boolean {
  const symbol = symbolAt(at)
  const { language } = at.file.code
  if (symbol?.kind !== 'method' || symbol.isPrivate) return false
  const isMade = isConstructorName(language, symbol.name) || symbol.name === symbolAt(holderOf(at))?.name
  return languageNamed(language).isOpenToBases?.(symbol, { isMade, isOverride: saysOverride(at) }) ?? false
}

/** Reports whether a method that says when it overrides begins in the workspace: then nothing outside knows it. */
function isNewIn(resolution: Resolution, at: Found, types: readonly Found[]): boolean {
  const method = symbolAt(at)
  if (!method || !languageNamed(at.file.code.language).marksOverrides) return false
  const above = types
    .flatMap(type => aboveOf(resolution, type))
    .flatMap(each => childrenNamed(each.file, each.number, method.name))
  return (
    above.length > 0 && above.every(each => !saysOverride(each) && symbolAt(each)?.arity?.[1] === method.arity?.[1])
  )
}

/** The type of a method, with its other parts. */
function typesOf({ names }: Resolution, at: Found): readonly Found[] {
  const holder = holderOf(at)
  const name = symbolAt(holder)?.name ?? symbolAt(at)?.receiver ?? ''
  const parts = names.inPackage(names.packageOf(at.file), name, at.file).filter(each => isType(each) || isModule(each))
  const isKnown = holder.number < 0 || parts.some(each => isSame(each, holder))
  return isKnown ? parts : [holder, ...parts]
}

const isModule = (at: Found): boolean =>
  languageNamed(at.file.code.language).includesModules === true && symbolAt(at)?.kind === 'module'

const aboveOf = ({ above }: Resolution, type: Found): readonly Found[] =>
  above(type).flatMap(each => (each.kind === 'instance' ? [each.at] : []))

/** Types that have the methods of one of these, whose own bases may ask for them too. */
function derivedFrom(resolution: Resolution, types: readonly Found[]): readonly Found[] {
  return resolution.names.files.flatMap(file =>
    [...file.code.symbols.entries()].flatMap(([number, symbol]) => {
      const isBelow =
        symbol.extends && aboveOf(resolution, { file, number }).some(each => types.some(type => isSame(type, each)))
      return isBelow ? [{ file, number }] : []
    }),
  )
}

/** The names of the bases of a type and its ancestors that no file declares. */
function outsideBases(resolution: Resolution, type: Found): readonly string[] {
  return [type, ...aboveOf(resolution, type)].flatMap(each => {
    const symbol = symbolAt(each)
    const where = { file: each.file, by: symbol?.parent ?? -1 }
    const writtenBases = [...(symbol?.extends ?? []), ...(symbol?.implements ?? [])].map(base => ({ base, where }))
    const extensionBases = resolution.names.extending(symbol?.name ?? '', each.file)
    return [...writtenBases, ...extensionBases].flatMap(({ base, where: place }) => {
      const baseMeanings = resolution.value(base, place).flatMap(found => madeOf(resolution, found))
      return baseMeanings.some(isDeclared) ? [] : baseName(base, place.file)
    })
  })
}

/** Code outside may call a method by a trait that no file declares. */
function fromTrait(resolution: Resolution, at: Found, name: string): readonly string[] {
  const { trait, parent = -1 } = symbolAt(at) ?? {}
  const where = { file: at.file, by: parent }
  const isOurs =
    trait === undefined || resolution.value(trait, where).some(each => madeOf(resolution, each).some(isDeclared))
  return isOurs ? [] : baseName(trait, at.file).map(base => mayBeCalled(base, name))
}

const mayBeCalled = (base: string, name: string): string =>
  `${base}, which is declared outside of the workspace, may call ${name}`

const isDeclared = ({ kind }: Meaning): boolean => kind === 'instance'

function baseName(base: Value, file: ProjectFile): readonly string[] {
  if (base[0] === 'name') return base[1] === '' ? [] : [base[1]]
  if (base[0] === 'member') return [base[2]]
  if (base[0] === 'import') return [file.code.imports[base[1]]?.name ?? '']
  return base[0] === 'instance' || base[0] === 'typed' ? baseName(base[1], file) : []
}

/** The texts of files, by path. */
export type Texts = ReadonlyMap<string, string>

/** A type satisfies interfaces without saying so: those of the library, and those of what files that name it import. */
function fromInterfaces(
  { names }: Resolution,
  at: Found,
  name: string,
  texts: Texts,
  library: NonNullable<Language['library']>,
): readonly string[] {
  const symbol = symbolAt(at)
  if (symbol?.kind !== 'method' || symbol.receiver === undefined || !symbol.exported) return []
  if (library.asksFor(symbol.name, symbol.arity?.[1] ?? -1))
    return [
      `An interface of ${titleOf(languageNamed(at.file.code.language))}'s library asks for ${symbol.name}: what gets its values may call ${name}`,
    ]
  const type = wordOf(symbol.receiver)
  const asking = new Set<string>()
  for (const [path, text] of texts)
    if (languageOf(path) === at.file.code.language && type.test(text))
      for (const module of importsOf(text)) {
        const isOwn = names.packages(module.replaceAll('/', '.'), at.file).length > 0
        if (!isOwn && !library.asksByInterfaces(module)) asking.add(module)
      }
  return [...asking]
    .slice(0, MOST_NAMED)
    .map(module => `${module}, which is outside of the workspace, may call ${name} through an interface or by its name`)
}

const MOST_NAMED = 3

/** The imports of a Go file. */
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^import\s*(?:\([^)]*\)|[^\n]*)/gm)].flatMap(([statement]) =>
    Array.from(statement.matchAll(/"([^"\n]+)"/g), ([, module = '']) => module),
  )
