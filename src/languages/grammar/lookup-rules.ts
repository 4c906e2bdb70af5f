import type { Node } from 'web-tree-sitter'
import type { ByType } from './grammar-language.ts'

/** `load`, `Cart::load`, `load(_:)`, `name=`. */
const NAME = /^[\w\\.:#]+[?!=]?(\([\w:]*\))?$/
const LONGEST = 200

/** Methods of the JVM that find methods by their names. */
export const JVM_LOOKUPS = /^(getMethods?|getDeclaredMethods?|findVirtual|findStatic|findSpecial)$/

/** Properties of Kotlin that hold all functions of a class. */
export const KOTLIN_FUNCTIONS = /^((declared)?(Member|Static)?Functions|(member|static)Functions|declaredMethods)$/

/** A text that is the key of an element names no function. */
const NO_NAME = /^(element_reference|subscript_expression|pair)$/

/** `'load' => 1` in PHP. */
const isKey = ({ parent, id }: Node): boolean =>
  parent?.type === 'array_element_initializer' && parent.namedChildCount > 1 && parent.namedChildren[0]?.id === id

/** The content of a text or symbol, if it may be the name of a function. */
function nameText(node: Node): string | undefined {
  if (NO_NAME.test(node.parent?.type ?? '') || isKey(node)) return undefined
  const text = node.text.replaceAll(/^[:'"`@]+|['"`]+$/g, '')
  return text.length <= LONGEST && NAME.test(text) ? text : undefined
}

/** An annotation may name a function for the code that reads it. */
const ANNOTATION = /annotation|attribute/

/** Texts of these nodes name functions only where they are given to a call that looks one up, or to an annotation. */
export const lookedUpTexts = (
  isLookup: (call: Node) => boolean,
  ...types: readonly string[]
): ByType<string | undefined> =>
  Object.fromEntries(types.map(type => [type, (node: Node) => (isGiven(node, isLookup) ? nameText(node) : undefined)]))

/** The call is at most this far above its argument. */
const FAR = 3

function isGiven(text: Node, isLookup: (call: Node) => boolean): boolean {
  let at = text.parent
  for (let steps = 0; at && steps <= FAR; at = at.parent, steps++) {
    if (ANNOTATION.test(at.type)) return true
    if (/call|invocation/.test(at.type) && !/suffix|argument/.test(at.type)) return isLookup(at)
  }
  return false
}

/** Texts of these nodes may name functions. */
export const namedTexts = (...types: readonly string[]): ByType<string | undefined> =>
  Object.fromEntries(types.map(type => [type, nameText]))

/** Reports whether a name is computed: its argument is neither a text nor a symbol that is a whole name. */
export const isComputed = (argument: Node): boolean => {
  const [inner] = argument.namedChildren
  const node = /^(value_)?argument$/.test(argument.type) && inner ? inner : argument
  return !/string|symbol/.test(node.type) || nameText(node) === undefined
}
