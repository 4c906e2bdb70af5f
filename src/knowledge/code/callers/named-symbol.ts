import { KIND, rangeKey, type OutlineSymbol, type Range } from '../servers/lsp-schemas.ts'

/** A symbol of a file under its qualified name. */
export interface NamedSymbol {
  /** `Class.method` for a member. */
  readonly name: string
  readonly plain: string
  /** The full path of names, functions included: `outer.inner`. */
  readonly whole: string
  readonly kind: number
  readonly range: Range
  readonly selection: Range
  /** Equal for siblings. */
  readonly beside: string
}

const HOLDERS = new Set<number>([
  KIND.namespace,
  KIND.module,
  KIND.package,
  KIND.class,
  KIND.interface,
  KIND.enum,
  KIND.object,
  KIND.struct,
])
const MEMBERS = new Set<number>([KIND.method, KIND.property, KIND.field, KIND.constructor])
const VALUES = new Set<number>([KIND.variable, KIND.constant, KIND.property, KIND.field])

/** Every symbol that has a name, outer ones first. */
export function namedSymbols(outline: readonly OutlineSymbol[]): readonly NamedSymbol[] {
  const flatSymbols: NamedSymbol[] = []
  const visit = (symbols: readonly OutlineSymbol[], above: NamedSymbol | undefined) => {
    for (const { name: outlineName, kind, range, selectionRange, children } of symbols) {
      const plain = plainName(outlineName)
      const name = above && isMember(kind, above.kind) ? `${above.name}.${plain}` : plain
      const beside = above ? rangeKey(above.range) : ''
      const whole = above ? `${above.whole}.${plain}` : plain
      const symbol = { name, plain: lastName(plain), whole, kind, range, selection: selectionRange, beside }
      if (!isEmpty(selectionRange)) flatSymbols.push(symbol)
      // A symbol without a position for its name is unnamed code, except for a constructor.
      visit(children ?? [], isEmpty(selectionRange) && kind !== KIND.constructor ? undefined : symbol)
    }
  }
  visit(outline, undefined)
  return flatSymbols
}

const isMember = (kind: number, above: number): boolean =>
  HOLDERS.has(above) || (VALUES.has(above) && MEMBERS.has(kind))

const isEmpty = ({ start, end }: Range): boolean => start.line === end.line && start.character === end.character

/** The plain name: `impl Trait for Cart` is Cart, `(*Cart).Add` Cart.Add, `Cart::add` Cart.add, `add(int)` add. */
function plainName(written: string): string {
  const implementing = /^impl(?:<.*?>)?\s+(?:.*\sfor\s+)?([\w:]+)/.exec(written)?.[1]
  if (implementing !== undefined) return lastName(implementing.replaceAll('::', '.'))
  return written
    .replace(/^\(\*?([\w.]+)(?:\[.*?\])?\)\./, '$1.')
    .replaceAll('::', '.')
    .replace(/^([\w$.]+)\(.*$/, '$1')
}

const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
