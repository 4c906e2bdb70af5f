import type { Node } from 'web-tree-sitter'
import { childrenOf, field } from '../../../languages/grammar/describe.ts'
import type { GrammarLanguage } from '../../../languages/grammar/grammar-language.ts'
import { expressionOf } from '../grammar/values.ts'
import type { Derived, Owner, Usage } from '../../../languages/file-model/usage.ts'

/** The usage of the name at an offset, in a language that tree-sitter parses. */
export function grammarUsage(root: Node, offset: number, language: GrammarLanguage): Usage {
  const leaf = root.descendantForIndex(offset, offset)
  if (!leaf || (leaf.startIndex !== offset && !isText(leaf))) return { role: 'other' }
  const by = ownerOf(leaf, language)
  const isWhole = !isText(leaf) || /^\w+$/.test(leaf.text.slice(offset - leaf.startIndex))
  return { ...(isWhole ? roleOf(leaf, language) : { role: 'other' }), ...(by && { by }) }
}

const isText = ({ type }: Node): boolean => /string/.test(type)

const IMPORTS = /^(import|use_|using_|package|preproc_include|include|namespace_use|require)/
const DECLARES = /definition$|declaration$|specifier$|declarator$|_item$|parameter|_spec$|^(class|method|module)$/
const OTHERS =
  /^(expression_statement|comparison_operator|binary_expression|not_operator|unary_operator|delete_statement|except_clause|global_statement|nonlocal_statement|keyword_argument|if_statement|while_statement|ERROR)$/

function roleOf(leaf: Node, language: GrammarLanguage): Omit<Usage, 'by'> {
  if (isText(leaf)) return namedBy(leaf)
  if (/comment/.test(leaf.type)) return { role: 'other' }
  let node = leaf
  let receiver: { receiver: number } | undefined
  for (let parent = node.parent; parent; parent = node.parent) {
    const expression = parent.type.startsWith('assignment') ? undefined : expressionOf(language, parent)
    if (expression?.is === 'member') {
      if (isIn(node, expression.of)) return { role: 'other' }
      receiver = { receiver: nameIn(expression.of) }
    } else if (expression?.is === 'call') {
      const { callee } = expression
      if ('id' in callee) return { role: isIn(node, callee) ? 'call' : argument(parent, leaf), ...receiver }
      if (callee.of && isIn(node, callee.of)) return { role: 'other' }
      const isName = callee.name === leaf.text && (field(parent, 'name') ?? leaf).startIndex === leaf.startIndex
      if (isName) return { role: 'call', ...(callee.of && { receiver: nameIn(callee.of) }) }
      return { role: 'value', ...receiver }
    } else if (expression?.is === 'new') return { role: isIn(node, expression.type) ? 'call' : 'value', ...receiver }
    else if (expression?.is === 'element') {
      if (!isIn(node, expression.of)) return { role: 'value', ...receiver }
    } else if (expression?.is !== 'same') return { ...receiver, ...roleIn(parent, node, leaf, language) }
    node = parent
  }
  return { role: 'other' }
}

/** An argument of a type check is not passed on. */
const argument = (call: Node, leaf: Node): Usage['role'] =>
  /^(isinstance|issubclass|super)$/.test(field(call, 'function')?.text ?? '') && leaf.parent?.type !== 'call'
    ? 'other'
    : 'value'

function roleIn(parent: Node, node: Node, leaf: Node, language: GrammarLanguage): Omit<Usage, 'by'> {
  const { type } = parent
  if (type === 'argument_list' || type === 'arguments' || type === 'value_arguments') {
    const call = parent.parent
    if (call?.type === 'class_definition') return { role: 'base', declares: classIn(call, language) }
    return { role: call ? argument(call, leaf) : 'value' }
  }
  if (type === 'decorator' || type === 'raise_statement') return { role: 'call' }
  const importNode = type === 'dotted_name' ? parent.parent : parent
  if (importNode?.type === 'aliased_import') {
    const alias = field(importNode, 'alias')
    return { role: 'import', ...(alias && alias.startIndex !== leaf.startIndex && { alias: alias.startIndex }) }
  }
  if (type === 'keyword_argument' && field(parent, 'value')?.id === node.id) return { role: 'value' }
  if (type.startsWith('assignment')) {
    const target = field(parent, 'left')
    if (field(parent, 'right')?.id !== node.id) return { role: isIn(node, target) ? 'declaration' : 'type' }
    const name = target && nameIn(target)
    return { role: 'value', ...(name !== undefined && name >= 0 && { alias: name }) }
  }
  const holder = field(parent, 'declarator') ?? field(parent, 'name')
  if (holder && field(parent, 'value')?.id === node.id)
    return { role: 'value', ...(nameIn(holder) >= 0 && { alias: nameIn(holder) }) }
  for (let at: Node | null = parent; at; at = at.parent) {
    if (IMPORTS.test(at.type)) return { role: 'import' }
    if (at.type === 'except_clause') return { role: 'other' }
    if (at.type === 'type' || at.type === 'type_annotation') return { role: 'type' }
    if (/statement|block|body/.test(at.type)) break
  }
  if (leaf.type === 'type_identifier')
    return { role: /base_class|superclass|delegation|extends/.test(type) ? 'base' : 'type' }
  if (DECLARES.test(type) && isDeclared(parent, node))
    return { role: 'declaration', ...derivedDeclaration(parent, language) }
  return { role: OTHERS.test(type) ? 'other' : 'value' }
}

const isDeclared = (parent: Node, node: Node): boolean =>
  [field(parent, 'name'), field(parent, 'declarator')].some(each => each?.id === node.id) ||
  (/parameter/.test(parent.type) && field(parent, 'value')?.id !== node.id)

const ACCESSOR = /^@\s*((functools\.)?cached_property|property|\w+\.(setter|getter|deleter)|abc\.abstractproperty)\b/

/** Built-in decorators that call their function only when it is called. */
const PLAIN =
  /^@\s*((typing|functools|contextlib|abc|dataclasses)\.)?(staticmethod|classmethod|abstractmethod|overload|override|final|dataclass|wraps|cache|lru_cache|contextmanager|asynccontextmanager)\b/

function derivedDeclaration(node: Node, language: GrammarLanguage): { readonly declares?: Derived } {
  const around = node.parent?.type === 'decorated_definition' ? childrenOf(node.parent) : []
  const decoratorTexts = around.filter(({ type }) => type === 'decorator').map(({ text }) => text)
  const isAccessor = decoratorTexts.some(text => ACCESSOR.test(text))
  const decorators = decoratorTexts
    .filter(text => !ACCESSOR.test(text) && !PLAIN.test(text))
    .map(text => /[\w.]+/.exec(text)?.[0] ?? text)
  const returns = field(node, 'return_type')?.namedChildren[0]
  const at = returns ? nameIn(returns) : -1
  return {
    declares: {
      ...classIn(node, language),
      ...(isAccessor && { isAccessor }),
      ...(decorators.length > 0 && { decorators }),
      ...(at >= 0 && { returns: at }),
    },
  }
}

function classIn(node: Node, { constructorName }: GrammarLanguage): Derived {
  const name = field(node, 'name')
  const members = childrenOf(field(node, 'body') ?? node)
  const constructs = members.some(each => {
    const inner = each.type === 'decorated_definition' ? field(each, 'definition') : each
    return inner?.type === 'function_definition' && field(inner, 'name')?.text === constructorName
  })
  return { name: name?.text ?? '', nameAt: name?.startIndex ?? -1, constructs, superCalls: [] }
}

const BY_NAME = /^(getattr|setattr|hasattr|delattr|(operator\.)?(methodcaller|attrgetter)|(\w+\.)*patch(\.object)?)$/

/** Tables of names: `globals()['f']`, `vars(module).get('f')`. */
const TABLE = /^((builtins\.)?(globals|locals|vars)\([^()]*\)|.*\.__dict__)$/s

/** A string that names an attribute: `getattr(x, 'f')`. */
function namedBy(leaf: Node): Omit<Usage, 'by'> {
  let text = leaf
  while (text.parent && isText(text.parent)) text = text.parent
  const { parent } = text
  if (parent?.type === 'subscript') return { role: TABLE.test(field(parent, 'value')?.text ?? '') ? 'named' : 'other' }
  const calleeText =
    parent?.type === 'argument_list' && parent.parent ? field(parent.parent, 'function')?.text : undefined
  const table = calleeText?.replace(/\.(get|pop|__getitem__)$/, '') ?? ''
  const isNamed = BY_NAME.test(calleeText ?? '') || (table !== calleeText && TABLE.test(table))
  return { role: isNamed ? 'named' : 'other' }
}

const isIn = (node: Node, outer: Node | undefined): boolean =>
  outer !== undefined && node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex

/** The name whose type an expression has; -1 if it is more than a name. */
export function nameIn(node: Node): number {
  if (/^(identifier|this|self)$/.test(node.type)) return node.startIndex
  const last = field(node, 'attribute') ?? field(node, 'field') ?? field(node, 'property')
  if (last) return last.startIndex
  const [only, ...more] = /parenthesized|await/.test(node.type) ? childrenOf(node) : []
  return only && more.length === 0 ? nameIn(only) : -1
}

/** The innermost function, method or class around a place; decorators and defaults belong to the outer one. */
export function ownerOf(leaf: Node, { runsOutside, declarations }: GrammarLanguage): Owner | undefined {
  const names: string[] = []
  let owner: Omit<Owner, 'name'> | undefined
  let below = leaf
  for (let node = leaf.parent; node; below = node, node = node.parent) {
    const isOutside = /parameters|type/.test(below.type) && field(node, 'body') && runsOutside !== undefined
    const rule = Object.hasOwn(declarations, node.type) && !isOutside ? declarations[node.type] : undefined
    const [declaration] = [rule?.(node) ?? []].flat()
    if (!declaration || (declaration.kind === 'variable' && !isLambda(node)) || declaration.kind === 'type') continue
    const name =
      field(node, 'name') ??
      childrenOf(node)
        .flatMap(each => wordsIn(each))
        .find(({ text }) => text === declaration.name)
    if (name?.startIndex === leaf.startIndex) continue
    const isFunction =
      declaration.kind === 'function' || declaration.kind === 'method' || declaration.kind === 'variable'
    if (owner && isFunction) break
    names.unshift(...(declaration.within ?? []), declaration.name)
    owner ??= { nameAt: name?.startIndex ?? node.startIndex, isClass: !isFunction }
  }
  return owner && { name: names.join('.'), ...owner }
}

const isLambda = (node: Node): boolean => field(node, 'right')?.type === 'lambda'

const wordsIn = (node: Node): readonly Node[] =>
  node.namedChildCount === 0 ? [node] : childrenOf(node).slice(0, 8).flatMap(wordsIn)
