import { familyOf } from '../../../languages/registry.ts'
import { isConstructorName } from '../resolve/call-targets.ts'
import { holderOf, symbolAt, type Found, type ProjectFile } from '../resolve/project.ts'
import { shownPlaces } from '../callers/places.ts'

/** A place that names a function in a text or symbol. */
interface NamedPlace {
  readonly by: number
  readonly line: number
}

/** Places of a file that name one of these in a text or symbol, by which it may be looked up and called. */
export function namedIn({ code }: ProjectFile, targets: readonly Found[]): readonly NamedPlace[] {
  const family = familyOf(code.language)
  const sameFamily = targets.filter(at => isLookedUp(at) && familyOf(at.file.code.language) === family)
  const names = new Set(sameFamily.map(at => symbolAt(at)?.name))
  // `attr_reader :name` declares what it names.
  const symbolDeclarations = sameFamily.filter(at => at.file.code === code && symbolAt(at)?.signature.startsWith(':'))
  const declarationLines = new Set(symbolDeclarations.map(at => symbolAt(at)?.from))
  return names.size === 0
    ? []
    : (code.namedTexts ?? []).filter(({ text, line }) => names.has(lastName(text)) && !declarationLines.has(line))
}

/** Why one may be looked up by a computed name; undefined if no such lookup is near it. */
export function whyComputed(files: readonly ProjectFile[], at: Found): string | undefined {
  if (!isLookedUp(at)) return undefined
  const names = new Set([symbolAt(at)?.name, symbolAt(holderOf(at))?.name ?? symbolAt(at)?.receiver])
  const family = familyOf(at.file.code.language)
  const sameFamily = files.filter(({ code }) => familyOf(code.language) === family)
  const lookupPlaces = sameFamily.flatMap(file =>
    (file.code.lookups ?? [])
      .filter(({ near }) => file === at.file || near.some(name => names.has(name)))
      .map(({ line }) => ({ path: file.path, line })),
  )
  return lookupPlaces.length > 0
    ? `Functions are looked up by computed names, which may be its: ${shownPlaces(lookupPlaces)}`
    : undefined
}

/** A function that is no constructor: a class is made in other ways. */
function isLookedUp(at: Found): boolean {
  const { kind = '', name = '' } = symbolAt(at) ?? {}
  const holder = symbolAt(holderOf(at))
  return /^(function|method)$/.test(kind) && !isConstructorName(at.file.code.language, name) && name !== holder?.name
}

/** `Cart::load`, `Cart.load`, `#load` and `load(_:)` name `load`. */
const lastName = (text: string): string =>
  text
    .replace(/\([\w:]*\)$/, '')
    .replace(/:+$/, '')
    .replace(/^.*[\\.:#]/, '')
