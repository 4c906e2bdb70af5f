import { symbolAt, type Found, type ProjectFile } from '../graph/resolve/project.ts'
import type { OwnSymbol, Value } from '../symbols/file-code.ts'

/** Where a value is written: the file, and the symbol that it stands in. */
export interface Where {
  readonly file: ProjectFile
  readonly by: number
}

/** What a value turns out to be. */
export type Meaning =
  | { readonly kind: 'symbol'; readonly at: Found }
  | { readonly kind: 'instance'; readonly at: Found }
  /** Something of a library: `name` is its type's where that is written. */
  | { readonly kind: 'foreign'; readonly name: string; readonly args: readonly Value[]; readonly where: Where }
  | { readonly kind: 'package'; readonly name: string }

export const TYPE = /^(class|interface|enum|type)$/
const CALLED = /^(function|method|class|interface|enum)$/

/** What collections and holders give of what they hold. */
export const HELD =
  /^(first|last|get|single|find|firstOrNull|lastOrNull|getOrNull|random|elementAt|value|getValue|next|pop|peek|poll|orElse|orElseThrow|await|blockingGet|invoke|removeFirst|maxBy|minBy)$/
/** Methods of so many libraries that a name alone says nothing. */
export const COMMON =
  /^(accept|add|addAll|all|any|append|apply|call|cancel|clear|clone|close|commit|compareTo|connect|contains|copy|count|create|decode|delete|dispose|emit|empty|encode|end|equals|execute|exists|extend|filter|find|first|flush|forEach|format|get|getName|has|hashCode|hash|index|indexOf|init|insert|invoke|is_?[eE]mpty|items|iterator|join|keys|last|len|length|load|lock|log|lower|map|match|merge|name|next|notify|of|on|open|parse|peek|poll|pop|post|print|println|push|put|query|read|reduce|release|remove|render|replace|request|reset|resize|resolve|run|save|search|seek|send|set|setup|show|shutdown|size|sleep|sort|split|start|stop|strip|sub|submit|subscribe|substring|swap|test|then|to_?[sS]tring|to_[a-z]|trim|unlock|unwrap|update|upper|validate|value|values|wait|with|write)$/

/** Types of the language that nothing inherits from: a receiver of another name is another type. */
const FINAL =
  /^(String|Int|Long|Short|Byte|Char|Boolean|Float|Double|Unit|Integer|Character|void|int|long|boolean|double|float|char)$/

export const isFinalType = (name: string): boolean => FINAL.test(name)

/** Methods whose signs say whether something is so. */
export const YES_OR_NO = /^(equals|compareTo|contains)$/

export const foreign = (name: string, where: Where, args: readonly Value[] = []): Meaning => ({
  kind: 'foreign',
  name,
  args,
  where,
})

/** Something of a library, and nobody says what. */
export const isUnknown = (meaning: Meaning): boolean => meaning.kind === 'foreign' && meaning.name === ''

/** One of the types of the language. */
export const isFinal = (meaning: Meaning): boolean => meaning.kind === 'foreign' && FINAL.test(meaning.name)

export const asMeanings = (found: readonly Found[]): readonly Meaning[] => found.map(at => ({ kind: 'symbol', at }))

export const isType = (at: Found): boolean => TYPE.test(symbolAt(at)?.kind ?? '')

/** Whether it is an object of Kotlin, which Java sees as the only one of its class. */
export const isOnly = (at: Found): boolean =>
  at.file.code.language === 'kotlin' && /\bobject\b/.test(symbolAt(at)?.signature ?? '')

/** Whether it says that signs call it. */
export const isOperator = (at: Found): boolean => /\boperator\b/.test(symbolAt(at)?.signature ?? '')

/** Callable or readable without a receiver. */
export const isPlain = (at: Found): boolean => symbolAt(at)?.receiver === undefined

export const isSame = (one: Found, other: Found): boolean => one.file === other.file && one.number === other.number

/** Whether a call with so many arguments can mean it. */
export function fits(at: Found, count: number): boolean {
  const symbol: OwnSymbol | undefined = symbolAt(at)
  if (!symbol || count < 0 || !CALLED.test(symbol.kind) || !symbol.arity) return true
  const [least, most] = symbol.arity
  return count >= least && (most === null || count <= most)
}
