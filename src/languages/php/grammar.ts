import type { Node } from 'web-tree-sitter'
import {
  around,
  bound,
  childOf,
  childrenOf,
  countOf,
  declares,
  descendants,
  field,
  modifiers,
  splitPath,
  textOf,
} from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import { isComputed, namedTexts } from '../grammar/lookup-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { Expression, GrammarLanguage, Named, Parameter, TypeName, Variable } from '../grammar/grammar-language.ts'

const isShared = (node: Node): boolean => !/\bprivate\b/.test(modifiers(node))

export const php: GrammarLanguage = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm',
  declarations: {
    class_declaration: declares('class'),
    interface_declaration: declares('interface'),
    trait_declaration: declares('class'),
    enum_declaration: declares('enum'),
    function_definition: declares('function'),
    method_declaration: declares('method', isShared),
    const_declaration: constants,
    function_call_expression(node) {
      if (textOf(node, 'function') !== 'define') return undefined
      const name = descendants(field(node, 'arguments'), 'string_content')[0]?.text
      return name === undefined ? undefined : { kind: 'variable', name, isPublic: true }
    },
  },
  tests: {
    base_clause: node => /\bTestCase\b/.test(node.text),
    attribute: node => /^\\?([\w\\]+\\)?(Test|DataProvider)\b/.test(node.text),
    function_call_expression: node =>
      /^(it|test|describe)$/.test(textOf(node, 'function')) && /^\(\s*['"]/.test(textOf(node, 'arguments')),
  },
  package: root => {
    const name = field(descendants(root, 'namespace_definition')[0] ?? root, 'name')
    return name && dots(name.text)
  },
  imports: {
    namespace_use_clause(node) {
      const above = node.parent?.type === 'namespace_use_group' ? node.parent.parent : undefined
      const prefix = above ? (childOf(above, 'namespace_name', 'qualified_name')?.text ?? '') : ''
      const path = `${prefix === '' ? '' : `${prefix}\\`}${childrenOf(node)[0]?.text ?? ''}`
      return splitPath(dots(path), field(node, 'alias')?.text)
    },
  },
  fields: {
    property_declaration: node =>
      childrenOf(node).flatMap(each =>
        each.type === 'property_element'
          ? [{ name: bare(field(each, 'name')), type: field(node, 'type'), init: field(each, 'default_value') }]
          : [],
      ),
    property_promotion_parameter: node => [
      { name: bare(field(node, 'name')), type: field(node, 'type'), isOfClass: true },
    ],
    assignment_expression(node) {
      const memberNode = field(node, 'left')
      if (memberNode?.type !== 'member_access_expression' || textOf(memberNode, 'object') !== '$this') return []
      return [{ name: textOf(memberNode, 'name'), init: field(node, 'right'), isOfClass: true }]
    },
  },
  parameters(node) {
    const list = field(node, 'parameters')
    return list && parametersIn(list)
  },
  returns: node => ({ type: field(node, 'return_type') }),
  supertypes(node) {
    const traits = childrenOf(field(node, 'body') ?? node).filter(({ type }) => type === 'use_declaration')
    // What a trait declares comes before what is inherited.
    const lists = [...traits, childOf(node, 'base_clause'), childOf(node, 'class_interface_clause')]
    return lists.flatMap(list => childrenOf(list).filter(({ type }) => /^(qualified_)?name$/.test(type)))
  },
  isStatic: node => childOf(node, 'static_modifier') !== undefined,
  scopes: new Set(['function_definition', 'method_declaration', 'anonymous_function', 'arrow_function']),
  reassigns: true,
  variables: {
    assignment_expression(node) {
      const target = field(node, 'left')
      return target?.type === 'variable_name'
        ? [{ name: target.text, init: field(node, 'right') }]
        : listVariables(target)
    },
    reference_assignment_expression: node => bound(field(node, 'left'), 'variable_name'),
    global_declaration: node => bound(node, 'variable_name'),
    static_variable_declaration: node => bound(field(node, 'name'), 'variable_name'),
    foreach_statement(node) {
      const [init, ...targets] = childrenOf(node).filter(({ id }) => id !== field(node, 'body')?.id)
      const last = targets.at(-1)
      const name = last?.type === 'pair' ? childrenOf(last).at(-1) : last
      return name?.type === 'variable_name' ? [{ name: name.text, init, isElement: true }] : listVariables(name)
    },
    catch_clause: node => [{ name: textOf(node, 'name'), type: field(node, 'type') }],
    formal_parameters: node => parametersIn(node).map(({ name, type }) => ({ name, type })),
  },
  calls: {
    function_call_expression(node) {
      const callee = field(node, 'function')
      if (!callee) return undefined
      if (isHandedOn(node)) return nameOf(callee)
      const count = argumentsOf(node)
      return callee.type === 'qualified_name'
        ? { is: 'call', callee: { of: undefined, name: splitPath(dots(callee.text)).name }, count }
        : { is: 'call', callee, count }
    },
    member_call_expression: methodOf('object'),
    nullsafe_member_call_expression: methodOf('object'),
    scoped_call_expression: methodOf('scope'),
    object_creation_expression(node) {
      const [classNode] = childrenOf(node)
      return classNode && /^(qualified_)?name$/.test(classNode.type)
        ? { is: 'new', type: classNode, count: argumentsOf(node) }
        : undefined
    },
  },
  expressions: {
    variable_name: ({ text }) => (text === '$this' ? { is: 'this' } : { is: 'name', name: text }),
    name: nameOf,
    qualified_name: nameOf,
    relative_scope: node => (node.text === 'parent' ? { is: 'super' } : { is: 'name', name: classAround(node) ?? '' }),
    member_access_expression: expression.member('object', 'name'),
    nullsafe_member_access_expression: expression.member('object', 'name'),
    scoped_property_access_expression: expression.member('scope', 'name', bare),
    parenthesized_expression: expression.same(),
    assignment_expression: expression.same('right'),
    subscript_expression: expression.element(),
  },
  uses: {
    function_call_expression: handedOn,
    member_call_expression: handedOn,
    nullsafe_member_call_expression: handedOn,
    scoped_call_expression: handedOn,
  },
  namedTexts: namedTexts('string', 'encapsed_string'),
  lookups: {
    function_call_expression(node) {
      const callee = field(node, 'function')
      const [first] = childrenOf(field(node, 'arguments'))
      if (callee?.type === 'array_creation_expression') return childrenOf(callee).slice(1).some(isComputedPart)
      if (callee?.type === 'variable_name') return !isClosure(callee)
      const isCallFunction =
        first && /^(call_user_func(_array)?|forward_static_call(_array)?)$/.test(callee?.text ?? '')
      return isCallFunction ? isVariable(first.namedChildren[0]) : callee?.text === 'get_class_methods'
    },
    member_call_expression: node => isVariable(field(node, 'name')) || textOf(node, 'name') === 'getMethods',
    nullsafe_member_call_expression: node => isVariable(field(node, 'name')),
    scoped_call_expression: node => isVariable(field(node, 'name')),
    array_creation_expression(node) {
      const [first, second, ...others] = childrenOf(node)
      const isOwn = /^(\$this|(self|static)::class)$/.test(first?.text ?? '')
      return isOwn && others.length === 0 && second !== undefined && isComputedPart(second)
    },
  },
  alternatives: node => (node.type === 'union_type' ? alternatives(node) : []),
  type: types.reader({
    named_type: types.first,
    optional_type: types.first,
    type_list: types.first,
    union_type: notNull,
    intersection_type: notNull,
    qualified_name: typeNamed,
    name: typeNamed,
    relative_scope: typeNamed,
  }),
}

const isComputedPart = (element: Node): boolean => element.namedChildren.some(each => each !== null && isComputed(each))

const isVariable = (node: Node | null | undefined): boolean => node?.type === 'variable_name' && !isClosure(node)

/** Reports whether a variable is written to hold a closure, in the function around it. */
function isClosure(variable: Node): boolean {
  const outer = [...around(variable)].find(({ type }) =>
    /^(program|method_declaration|function_definition)$/.test(type),
  )
  const name = variable.text.replace('$', String.raw`\$`)
  return new RegExp(`${name}\\s*=\\s*(static\\s+)?(fn|function)\\b|\\b(callable|Closure)\\s+${name}\\b`).test(
    outer?.text ?? '',
  )
}

const dots = (name: string): string => name.replace(/^\\/, '').replaceAll('\\', '.')

function bare(node: Node | undefined): string {
  return node?.text.replace(/^\$/, '') ?? ''
}

function constants(node: Node): readonly Named[] {
  if (node.parent?.type === 'declaration_list') return []
  return childrenOf(node).flatMap(child =>
    child.type === 'const_element'
      ? { kind: 'variable' as const, name: child.namedChildren[0]?.text ?? '', isPublic: true }
      : [],
  )
}

function notNull(node: Node): Node | undefined {
  return alternatives(node)[0]
}

const alternatives = (node: Node): readonly Node[] => childrenOf(node).filter(({ text }) => text !== 'null')

function typeNamed(node: Node): TypeName {
  const ownClass = node.text === 'self' ? classAround(node) : undefined
  return { name: ownClass ?? dots(node.text), args: [] }
}

function classAround(node: Node): string | undefined {
  for (const each of around(node))
    if (/^(class|trait|interface|enum)_declaration$/.test(each.type)) return field(each, 'name')?.text
  return undefined
}

function parametersIn(list: Node): readonly Parameter[] {
  return childrenOf(list).flatMap((each): readonly Parameter[] => {
    if (!each.type.endsWith('parameter')) return []
    return [
      {
        name: textOf(each, 'name'),
        type: field(each, 'type'),
        isOptional: field(each, 'default_value') !== undefined,
        isRest: each.type === 'variadic_parameter',
      },
    ]
  })
}

function nameOf(node: Node): Expression {
  const name = dots(node.text)
  return name.includes('.') ? { is: 'typed', type: node } : { is: 'name', name }
}

/** `f(...)` makes a closure of a function, and calls nothing. */
const isHandedOn = (node: Node): boolean => /^\(\s*\.\.\.\s*\)$/.test(field(node, 'arguments')?.text ?? '')

function handedOn(node: Node): readonly Node[] {
  return isHandedOn(node) ? [node] : []
}

function methodOf(object: string) {
  return (node: Node): Expression | undefined => {
    const [of, name] = [field(node, object), field(node, 'name')]
    if (!of || name?.type !== 'name') return undefined
    const callee = { of, name: name.text }
    return isHandedOn(node) ? { is: 'member', ...callee } : { is: 'call', callee, count: argumentsOf(node) }
  }
}

/** The number of arguments is unknown if one is spread. */
function argumentsOf(node: Node): number {
  const list = field(node, 'arguments') ?? childOf(node, 'arguments')
  return list && /(^|[(,]\s*)\.\.\./.test(list.text) ? -1 : countOf(list)
}

/** `[$a, $b] = $c` */
const listVariables = (node: Node | undefined): readonly Variable[] =>
  node?.type === 'list_literal' ? bound(node, 'variable_name') : []
