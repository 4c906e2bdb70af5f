import { ToolError } from '../../../kernel/error.ts'
import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import { isOverload, overloadName, withTypes } from '../../model/overload-name.ts'
import { notDefined } from '../callers/choose-target.ts'
import { withDots } from '../callers/defining-file.ts'
import { ancestry, holderOf, isCompanion, symbolAt, type Found, type ProjectFile } from '../resolve/project.ts'
import type { Declared } from '../types.ts'

/** The names around a symbol, outermost first, without companions, which callers do not write. */
function withinOf(found: Found): readonly string[] {
  const around = ancestry(holderOf(found))
    .flatMap(({ name, kind }) => (name === '' || name === 'Companion' || kind === 'module' ? [] : [name]))
    .toReversed()
  const { receiver, kind } = symbolAt(found) ?? {}
  return around.length === 0 && kind === 'method' && receiver !== undefined ? [receiver] : around
}

/** `Class.method` for a method. */
export function wholeName(at: Found): string {
  const { kind = '' } = symbolAt(holderOf(at)) ?? {}
  const name = symbolAt(at)?.name ?? ''
  return /^(function|method)$/.test(kind) ? name : [...withinOf(at), name].filter(each => each !== '').join('.')
}

/** The fully qualified name, including modules and companions. */
function fullName({ file, number }: Found): string {
  const names = ancestry({ file, number }).flatMap(({ name, receiver, kind, parent }) => {
    const isOutside = parent === -1 || file.code.symbols[parent]?.kind === 'module'
    return kind === 'method' && isOutside && receiver !== undefined ? [name, receiver] : [name]
  })
  return withDots(
    names
      .toReversed()
      .filter(name => name !== '')
      .join('.'),
  )
}

const KINDS = new Set<string>(['function', 'method', 'class', 'interface', 'type', 'enum', 'variable', 'module'])

const isKind = (kind: string): kind is CodeSymbol['kind'] => KINDS.has(kind)

/** A symbol as results show it. */
export function declaredOf(at: Found): Declared {
  const { name = '', kind = 'variable', from = 0, to = 0, exported = false, signature = '' } = symbolAt(at) ?? {}
  return {
    name,
    kind: isKind(kind) ? kind : 'variable',
    from,
    to,
    within: withinOf(at),
    exported,
    path: at.file.path,
    signature,
  }
}

/** A property is meant only where nothing else has its name. */
const ASKED = [/^(function|method|class|interface|enum)$/, /^property$/]

/**
 * The symbol that a name refers to in a file, with all overloads, or the one of `name(Type)`. Throws `no_match` if there is none, `ambiguous` if
 * there are several.
 */
export function findSymbols(
  file: ProjectFile | undefined,
  symbolName: string,
  path: string,
): readonly [Found, ...Found[]] {
  const [all = [], ...others] = ASKED.map(kinds =>
    (file?.code.symbols ?? []).flatMap(({ kind, name }, number) =>
      file && name !== '' && kinds.test(kind) ? [{ file, number }] : [],
    ),
  )
  const { name: plainName, taken } = overloadName(symbolName)
  const dottedName = withDots(plainName)
  const plain = dottedName.replace('.Companion.', '.')
  const ways: readonly ((at: Found) => boolean)[] = [
    // A fully qualified name selects one, though others end the same way.
    at => fullName(at) === dottedName,
    at => namesOf(at).includes(plain),
    at => [...namesOf(at), fullName(at)].some(name => name.endsWith(`.${plain}`)),
  ]
  const candidates = [all, ...others].flatMap(each => ways.map(isMeant => each.filter(isMeant))).find(isSome) ?? []
  const overloads = candidates.filter(each => taken === undefined || isOverload(symbolAt(each) ?? {}, taken))
  // The name of a class also selects its constructor.
  const holders = new Set(overloads.map(each => symbolAt(each)?.parent))
  const groups = Object.groupBy(overloads, fullName)
  const [only, ...rest] = Object.values(groups).flatMap(each => (each ? [each] : []))
  const [first, ...more] = overloads
  if (first && only && (rest.length === 0 || holders.size === 1)) return [first, ...more]
  const describeDefinition = (each: Found) =>
    candidates.includes(each) ? withTypes(wholeName(each), symbolAt(each) ?? {}) : wholeName(each)
  if (!only)
    throw notDefined(symbolName, path, (candidates.length > 0 ? candidates : all).map(describeDefinition), file?.code)
  const which = overloads.map(each => `${fullName(each)} (line ${symbolAt(each)?.from})`)
  throw new ToolError('ambiguous', `'${symbolName}' is defined ${which.length} times in ${path}`, {
    hint: `Say which one, by its qualified name: ${which.join(', ')}`,
    details: { path, symbols: which },
  })
}

const isSome = ({ length }: readonly unknown[]): boolean => length > 0

/** Members of a companion can also be called on the class around it. */
function namesOf(at: Found): readonly string[] {
  const holder = holderOf(at)
  const whole = wholeName(at)
  if (!isCompanion(holder)) return [whole]
  return [whole, `${wholeName(holderOf(holder))}.${symbolAt(at)?.name}`]
}
