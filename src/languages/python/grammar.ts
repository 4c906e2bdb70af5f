import type { Node } from 'web-tree-sitter'
import { elementCalls } from './elements.ts'
import {
  accessOf,
  bound,
  childOf,
  childrenOf,
  countOf,
  declares,
  field,
  isInside,
  textOf,
} from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { Expression, GrammarLanguage, Named, Parameter, TypeName, Variable } from '../grammar/grammar-language.ts'
import { exportsIn, importedBy, takesTests } from './modules.ts'
import { pythonOperators } from './operators.ts'
import { aliasVariables, loopVariables, caseVariables, targetsOf } from './variables.ts'

const isPublic = (_node: Node, name: string): boolean => !name.startsWith('_')

export const python: GrammarLanguage = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm',
  constructorName: '__init__',
  elements: elementCalls,
  namesModules: true,
  wrappers: new Set(['decorated_definition']),
  declarations: {
    class_definition: declares('class', isPublic),
    function_definition: node => declares(isInClass(node) ? 'method' : 'function', isPublic)(node),
    // Also inside of `if` and `try`, which distinguish versions.
    assignment: node =>
      isInside(node, /^(function|class)_definition$/)
        ? undefined
        : targetsOf(node).flatMap(({ target }): readonly Named[] =>
            target.type === 'identifier'
              ? [{ kind: 'variable', name: target.text, isPublic: isPublic(target, target.text) }]
              : [],
          ),
    type_alias_statement: declares('type', isPublic),
  },
  exports: exportsIn,
  tests: {
    class_definition: node => /TestCase\b/.test(textOf(node, 'superclasses')),
    function_definition: node =>
      /^test(_|[A-Z]|$)/.test(textOf(node, 'name')) &&
      (/\b(assert\w*|pytest|self\.fail)\b/.test(node.text) || takesTests(node)),
  },
  imports: { import_statement: importedBy, import_from_statement: importedBy },
  fields: {
    assignment(node) {
      const isInBody = node.parent?.parent?.parent?.type === 'class_definition'
      return targetsOf(node).flatMap(({ target, init }): readonly Variable[] => {
        const type = field(node, 'type')
        if (target.type === 'attribute' && textOf(target, 'object') === 'self')
          return [{ name: textOf(target, 'attribute'), type, init, isOfClass: true }]
        return target.type === 'identifier' && isInBody ? [{ name: target.text, type, init }] : []
      })
    },
  },
  parameters(node) {
    const list = field(node, 'parameters')
    return list && childrenOf(list).flatMap((each, at) => parameter(each, at === 0))
  },
  // Defaults are computed once.
  runsOutside: new Set(['parameters']),
  returns: node => ({ type: field(node, 'return_type') }),
  returned: {
    return_statement(node) {
      const [value] = childrenOf(node)
      return value && { value, isElement: false }
    },
    yield(node) {
      const [value] = childrenOf(node)
      return value && { value, isElement: !node.text.startsWith('yield from') }
    },
  },
  supertypes: node =>
    childrenOf(field(node, 'superclasses')).filter(({ type }) => /^(identifier|attribute|subscript)$/.test(type)),
  isStatic: node => decorators(node).some(({ text }) => text === 'staticmethod'),
  accessor(node) {
    const [, name] =
      /(?:^|\n)(?:\w+\.)*(cached_property|property|setter|getter)(?=\n|$)/.exec(
        decorators(node)
          .map(({ text }) => text)
          .join('\n'),
      ) ?? []
    return name === undefined ? undefined : name === 'setter' ? 'write' : 'read'
  },
  decorators,
  scopes: new Set(['function_definition', 'lambda', 'class_definition', ...comprehensions()]),
  closedScopes: new Set(['class_definition']),
  reassigns: true,
  variables: {
    assignment: node =>
      targetsOf(node).flatMap(({ target, init }) =>
        target.type === 'identifier'
          ? [{ name: target.text, type: field(node, 'type'), init }]
          : target.type.endsWith('pattern')
            ? bound(target, 'identifier')
            : [],
      ),
    case_pattern: caseVariables,
    splat_pattern: node => bound(node, 'identifier'),
    as_pattern_target: node => (node.firstNamedChild?.type === 'tuple' ? bound(node, 'identifier') : []),
    delete_statement: node =>
      childrenOf(node).flatMap(({ type, text }) => (type === 'identifier' ? { name: text } : [])),
    named_expression: node => [{ name: textOf(node, 'name'), init: field(node, 'value') }],
    for_statement: loopVariables,
    lambda_parameters: node => childrenOf(node).flatMap(each => parameter(each, false)),
    as_pattern: aliasVariables,
    // The iterated value is written after the result.
    ...Object.fromEntries(
      comprehensions().map(type => [
        type,
        (node: Node) => childrenOf(node).flatMap(each => (each.type === 'for_in_clause' ? loopVariables(each) : [])),
      ]),
    ),
  },
  outer: {
    global_statement: node => ({ names: childrenOf(node).map(({ text }) => text), isGlobal: true }),
    nonlocal_statement: node => ({ names: childrenOf(node).map(({ text }) => text), isGlobal: false }),
  },
  calls: {
    call(node) {
      const callee = field(node, 'function')
      if (callee?.type === 'identifier' && callee.text === 'super') return { is: 'super' }
      return callee && { is: 'call', callee, count: argumentsOf(field(node, 'arguments')) }
    },
    decorator(node) {
      const [callee] = childrenOf(node)
      return callee && { is: 'call', callee, count: 1 }
    },
    // `raise Error` constructs an object without a call.
    raise_statement(node) {
      const [callee] = childrenOf(node)
      return callee && /^(identifier|attribute)$/.test(callee.type) ? { is: 'call', callee, count: 0 } : undefined
    },
  },
  expressions: {
    identifier: node =>
      node.text === 'self' ? { is: 'this' } : node.text === 'cls' ? heldClass(node) : { is: 'name', name: node.text },
    attribute: expression.member('object', 'attribute'),
    await: expression.same(),
    parenthesized_expression: expression.same(),
    named_expression: expression.same('value'),
    subscript(node) {
      const [of, key] = [field(node, 'value'), field(node, 'subscript')]
      const text = key && textIn(key)
      return of && { is: 'element', of, ...(text !== undefined && { key: text }) }
    },
    string: expression.literal('str'),
    concatenated_string: expression.literal('str'),
    integer: expression.literal('int'),
    float: expression.literal('float'),
    conditional_expression: node => ({ is: 'either', of: childrenOf(node).filter((_, at) => at !== 1) }),
    boolean_operator: node => ({ is: 'either', of: childrenOf(node) }),
    list: elements,
    tuple: elements,
    set: elements,
    expression_list: elements,
    dictionary: node => ({
      is: 'object',
      entries: childrenOf(node).flatMap((pair): readonly (readonly [string, Node])[] => {
        const [key, value] = [field(pair, 'key'), field(pair, 'value')]
        return key && value ? [[textIn(key) ?? key.text, value]] : []
      }),
    }),
    lambda: node => {
      const gives = field(node, 'body')
      return gives && { is: 'function', gives }
    },
  },
  type: types.reader({
    type: types.first,
    binary_operator: types.inner('left'),
    generic_type: genericType,
    subscript: genericType,
    string(node) {
      const name = textIn(node) ?? ''
      return /^\w+(\.\w+)*$/.test(name) ? { name, args: [] } : undefined
    },
    identifier: types.plain,
    attribute: types.plain,
  }),
  operators: pythonOperators,
  accesses: { attribute: node => (accessOf(node) === 'write' ? undefined : accessOf(node)) },
  uses: Object.fromEntries(
    [
      'argument_list',
      'assignment',
      'boolean_operator',
      'conditional_expression',
      'expression_list',
      'default_parameter',
      'keyword_argument',
      'lambda',
      'list',
      'pair',
      'return_statement',
      'set',
      'tuple',
      'yield',
    ].map(type => [type, handedOn]),
  ),
}

function comprehensions(): readonly string[] {
  return ['list_comprehension', 'set_comprehension', 'dictionary_comprehension', 'generator_expression']
}

/** Names among its children, except its own. */
function handedOn(node: Node): readonly Node[] {
  const nameNode = field(node, 'left') ?? field(node, 'name')
  return childrenOf(node).filter(each => each.type === 'identifier' && each.id !== nameNode?.id)
}

const isInClass = (node: Node): boolean => {
  const above = node.parent?.type === 'decorated_definition' ? node.parent.parent : node.parent
  return above?.parent?.type === 'class_definition'
}

function decorators({ parent }: Node): readonly Node[] {
  if (parent?.type !== 'decorated_definition') return []
  return childrenOf(parent).flatMap(each => (each.type === 'decorator' ? childrenOf(each).slice(0, 1) : []))
}

function elements(node: Node): Expression {
  return { is: 'list', of: childrenOf(node) }
}

/** The content of a plain string. */
function textIn(node: Node): string | undefined {
  return node.type === 'string' && !childOf(node, 'interpolation') ? childOf(node, 'string_content')?.text : undefined
}

const HOLDERS = /^(typing\.)?(Optional|Annotated|ClassVar|Final|Union)$/

function genericType(node: Node): TypeName | Node | undefined {
  const [name, ...rest] = childrenOf(node)
  const args = rest.flatMap(each => (each.type === 'type_parameter' ? childrenOf(each) : each))
  return name && (HOLDERS.test(name.text) ? args.find(({ text }) => text !== 'None') : { name: name.text, args })
}

const GETS_CLASS = /^__(?:new|init_subclass|class_getitem|prepare)__$/

/** What `cls` means: the class in a class method, an object in a method of a metaclass, else a parameter like others. */
function heldClass(node: Node): Expression {
  for (let at = node.parent; at; at = at.parent) {
    const parameters = at.type === 'function_definition' ? childrenOf(field(at, 'parameters')) : []
    const number = parameters.findIndex(each => (field(each, 'name') ?? childrenOf(each)[0] ?? each).text === 'cls')
    if (number < 0) continue
    if (number > 0 || !isInside(at, /^class_definition$/)) break
    const isOfClass = at.parent?.type === 'decorated_definition' || GETS_CLASS.test(textOf(at, 'name'))
    return isOfClass ? { is: 'class' } : { is: 'this' }
  }
  return { is: 'name', name: 'cls' }
}

const argumentsOf = (list: Node | undefined): number =>
  childrenOf(list).some(({ type }) => /splat/.test(type)) ? -1 : countOf(list)

function parameter(node: Node, isFirst: boolean): readonly Parameter[] {
  if (isFirst && /^(self|cls)$/.test(node.text)) return []
  if (node.type === 'identifier') return [{ name: node.text }]
  if (/splat/.test(node.type)) return [{ name: childrenOf(node)[0]?.text ?? '', isRest: true }]
  const name = field(node, 'name')?.text ?? childrenOf(node)[0]?.text
  if (name === undefined || /separator/.test(node.type)) return []
  return [
    {
      name: name.replace(/^\*+/, ''),
      type: field(node, 'type'),
      isOptional: field(node, 'value') !== undefined,
      isRest: name.startsWith('*'),
    },
  ]
}
