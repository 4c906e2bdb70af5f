import type { Node } from 'web-tree-sitter'
import { modifiers, type Kind, type LanguageRules, type Named } from '../rules.ts'

const isVisible = (node: Node): boolean => !/\bstatic\b/.test(modifiers(node))

/** Rules that C and C++ have in common. */
export const cSymbols: LanguageRules['symbols'] = {
  function_definition: node => declared(node, 'function'),
  declaration: node =>
    isInFunction(node)
      ? []
      : node.childrenForFieldName('declarator').flatMap(each => (each ? declaredBy(node, each) : [])),
  type_definition: node =>
    node.childrenForFieldName('declarator').flatMap(each => {
      const name = each && innermost(each)
      return name ? { kind: 'type' as const, name: name.text, isPublic: true } : []
    }),
  struct_specifier: type('class'),
  union_specifier: type('class'),
  enum_specifier: type('enum'),
  preproc_def: macro('variable'),
  preproc_function_def: macro('function'),
}

export const isTestCall = (node: Node): boolean =>
  /^(TEST_CASE|SCENARIO|RUN_TEST|START_TEST|cmocka_unit_test|BOOST_AUTO_TEST_CASE)$/.test(
    node.childForFieldName('function')?.text ?? '',
  )

export const c: LanguageRules = {
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm',
  symbols: cSymbols,
  exports: inlineOfHeader,
  tests: { function_definition: isTestMacro, call_expression: isTestCall },
}

/** What is `static inline` in a header is there for everybody who includes it. */
export function inlineOfHeader(root: Node, path: string): { readonly names: readonly string[]; readonly isAll: false } {
  const isHeader = /\.(h|hh|hpp|hxx)$/i.test(path)
  const functions = isHeader && /\binline\b/.test(root.text) ? root.descendantsOfType('function_definition') : []
  const names = functions.flatMap(node => {
    const isMeant = node && /\bstatic\b/.test(modifiers(node)) && /\binline\b/.test(modifiers(node)) && isAtTop(node)
    return (isMeant && declared(node, 'function')?.name) || []
  })
  return { names, isAll: false }
}

/** Also inside what the preprocessor may leave out. */
function isAtTop(node: Node): boolean {
  for (let above = node.parent; above; above = above.parent)
    if (!/^(translation_unit|preproc_\w+|linkage_specification|declaration_list)$/.test(above.type)) return false
  return true
}

export function isTestMacro(node: Node): boolean {
  const name = node.childForFieldName('declarator')?.childForFieldName('declarator')?.text ?? ''
  return /^(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|TEST_CASE|START_TEST|Test|BOOST_AUTO_TEST_CASE)$/.test(name)
}

function type(kind: Kind) {
  return (node: Node): Named | undefined => {
    const name = node.childForFieldName('name')?.text
    // Without a body it is only mentioned.
    return name === undefined || !node.childForFieldName('body') ? undefined : { kind, name, isPublic: true }
  }
}

/** A guard against being included twice is no name for anybody. */
function macro(kind: Kind) {
  return (node: Node): Named | undefined => {
    const name = node.childForFieldName('name')?.text
    const isGuard = kind === 'variable' && !node.childForFieldName('value')
    return name === undefined || isGuard ? undefined : { kind, name, isPublic: true }
  }
}

/** What a definition or a member declares: `A::b` is b in A. */
export function declared(node: Node, kind: Kind): Named | undefined {
  const declarator = node.childForFieldName('declarator')
  const name = declarator && innermost(declarator)
  if (!name || name.text === '') return undefined
  const parts = name.text.split('::').map(part => part.trim())
  const within = parts.slice(0, -1)
  return {
    kind: within.length > 0 ? 'method' : kind,
    name: parts.at(-1) ?? name.text,
    isPublic: isVisible(node),
    ...(within.length > 0 && { within }),
  }
}

function declaredBy(node: Node, declarator: Node): readonly Named[] {
  const name = innermost(declarator)
  if (!name || name.text.includes('::')) return []
  const isFunction =
    /^(\w+_declarator)?$/.test(declarator.type) && declarator.descendantsOfType('function_declarator').length > 0
  const isPointer = declarator.descendantsOfType('parenthesized_declarator').length > 0
  return [{ kind: isFunction && !isPointer ? 'function' : 'variable', name: name.text, isPublic: isVisible(node) }]
}

function innermost(node: Node): Node | undefined {
  if (/identifier$|^operator_name$|^destructor_name$|^operator_cast$/.test(node.type)) return node
  const next =
    node.childForFieldName('declarator') ??
    node.namedChildren.find(child => child !== null && /declarator$|identifier$|_name$/.test(child.type))
  return next ? innermost(next) : undefined
}

function isInFunction(node: Node): boolean {
  for (let above = node.parent; above; above = above.parent) if (above.type === 'compound_statement') return true
  return false
}
