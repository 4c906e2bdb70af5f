import type { Node } from 'web-tree-sitter'
import { around, bound, childrenOf, countOf, declares, descendants, field, textOf } from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import { isComputed, lookedUpTexts, namedTexts } from '../grammar/lookup-rules.ts'
import type { Expression, GrammarLanguage, Parameter } from '../grammar/grammar-language.ts'

const CONSTANT = /^(constant|scope_resolution)$/

export const ruby: GrammarLanguage = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm',
  classIsReceiver: true,
  declarations: {
    module: declares('module'),
    class: declares('class'),
    method: node => declares(node.parent?.type === 'program' ? 'function' : 'method')(node),
    singleton_method: declares('method'),
    simple_symbol: node => attributes(node).map(name => ({ kind: 'method', name, isPublic: true })),
    assignment(node) {
      const constant = field(node, 'left')
      return constant?.type === 'constant' ? { kind: 'variable', name: constant.text, isPublic: true } : undefined
    },
  },
  transparent: new Set(['module']),
  tests: {
    call: node =>
      /^(RSpec\.)?(describe|context|it|specify|feature|scenario|test)$/.test(calledName(node)) &&
      field(node, 'block') !== undefined,
    superclass: node =>
      /\b(Minitest::(Test|Spec)|(Test::Unit|ActiveSupport|ActionDispatch)::(TestCase|IntegrationTest))\b/.test(
        node.text,
      ),
  },
  imports: {
    call(node) {
      const isRequire = /^require(_relative)?$/.test(textOf(node, 'method'))
      const [module] = isRequire ? descendants(node, 'string_content') : []
      return module && { module: module.text }
    },
  },
  fields: {
    assignment(node) {
      const instanceVariable = field(node, 'left')
      return instanceVariable?.type === 'instance_variable'
        ? [{ name: instanceVariable.text, init: field(node, 'right'), isOfClass: true }]
        : []
    },
  },
  parameters(node) {
    if (!node.type.endsWith('method')) return undefined
    return childrenOf(field(node, 'parameters')).map(parameter)
  },
  returns: node => ({ value: childrenOf(field(node, 'body')).at(-1) }),
  supertypes(node) {
    const mixins = childrenOf(field(node, 'body')).filter(each =>
      /^(include|extend|prepend)$/.test(textOf(each, 'method')),
    )
    // The last included module comes first, and all of them before the superclass.
    return [
      ...mixins.toReversed().flatMap(each => childrenOf(field(each, 'arguments') ?? each)),
      ...childrenOf(field(node, 'superclass')),
    ].filter(({ type }) => CONSTANT.test(type))
  },
  isStatic: node => node.type === 'singleton_method' || isInSingleton(node),
  scopes: new Set(['method', 'singleton_method', 'block', 'do_block', 'lambda']),
  reassigns: true,
  variables: {
    assignment(node) {
      const target = field(node, 'left')
      // `a.b, c = …` calls `b=`, and binds c.
      if (target?.type === 'left_assignment_list')
        return childrenOf(target).flatMap(each => (each.type === 'call' ? [] : bound(each, 'identifier')))
      return target?.type === 'identifier' ? [{ name: target.text, init: field(node, 'right') }] : []
    },
    operator_assignment(node) {
      const assignee = field(node, 'left')
      const isGiven = /\|\|=|&&=/.test(node.text.slice(assignee?.text.length ?? 0, -textOf(node, 'right').length))
      return assignee?.type === 'identifier'
        ? [{ name: assignee.text, init: isGiven ? field(node, 'right') : undefined }]
        : []
    },
    exception_variable: node => bound(node, 'identifier'),
    for: node => bound(field(node, 'pattern'), 'identifier'),
    in_clause: node => bound(field(node, 'pattern'), 'identifier'),
    block_parameters: node => childrenOf(node).map(each => ({ name: nameOf(each) })),
    lambda_parameters: node => childrenOf(node).map(each => ({ name: nameOf(each) })),
    destructured_parameter: node => bound(node, 'identifier'),
  },
  lambdaScope(call) {
    const [lambda, of] = [field(call, 'block'), field(call, 'receiver')]
    const method = field(call, 'method')
    if (lambda && of && RUNS_ON.test(method?.text ?? '')) return { lambda, implicit: of }
    // The name of the method stands for an object that is not known.
    if (lambda && method && DEFINES.test(calledName(call))) return { lambda, implicit: method }
    return lambda && of ? { lambda, first: { value: of, isElement: true } } : undefined
  },
  calls: {
    identifier: node =>
      isPlace(node) ? undefined : { is: 'call', callee: { of: undefined, name: node.text }, count: 0 },
    call: callExpression,
    super: node => (isPlainSuper(node) ? calledAbove(node, -1) : undefined),
  },
  operators: {
    // `a.n += 1` reads it, and sets it.
    operator_assignment(node) {
      const callTarget = field(node, 'left')
      const [of, name] = [field(callTarget, 'receiver'), textOf(callTarget, 'method')]
      return of && name !== '' ? [{ of, names: [`${name}=`], count: 1 }] : []
    },
  },
  namedTexts: {
    ...lookedUpTexts(isLookup, 'string'),
    simple_symbol: node => (isDeclared(node) ? undefined : namedTexts('simple_symbol')['simple_symbol']?.(node)),
  },
  lookups: {
    call(node) {
      const [first] = childrenOf(field(node, 'arguments'))
      const name = textOf(node, 'method')
      return first !== undefined && (EVALUATES.test(name) || (isLookup(node) && isComputed(first)))
    },
  },
  expressions: {
    constant: expression.name,
    instance_variable: expression.name,
    class_variable: expression.name,
    self: expression.self,
    scope_resolution(node) {
      const [of, name] = [field(node, 'scope'), field(node, 'name')]
      return name && (of ? { is: 'member', of, name: name.text } : { is: 'name', name: name.text })
    },
    parenthesized_statements(node) {
      const as = childrenOf(node).at(-1)
      return as && { is: 'same', as }
    },
    element_reference: expression.element('object'),
    string: expression.literal('String'),
  },
  type: node =>
    CONSTANT.test(node.type) ? { name: node.text.replace(/^::/, '').replaceAll('::', '.'), args: [] } : undefined,
}

const calledName = (node: Node): string => {
  const receiver = field(node, 'receiver')?.text
  return `${receiver === undefined ? '' : `${receiver}.`}${textOf(node, 'method')}`
}

/** The methods that `attr_accessor :name` and its like define. */
function attributes({ parent, text }: Node): readonly string[] {
  const [, what] = /^attr_(reader|writer|accessor)$/.exec(textOf(parent?.parent ?? undefined, 'method')) ?? []
  const name = text.slice(1)
  if (what === undefined || parent?.type !== 'argument_list') return []
  return [...(what === 'writer' ? [] : [name]), ...(what === 'reader' ? [] : [`${name}=`])]
}

/** `class << self` */
function isInSingleton(node: Node): boolean {
  return [...around(node)].find(({ type }) => /^(class|module|singleton_class)$/.test(type))?.type === 'singleton_class'
}

const nameOf = (node: Node): string => field(node, 'name')?.text ?? node.text

const parameter = (node: Node): Parameter => ({
  name: nameOf(node),
  // Keyword parameters are optional as far as the argument count goes.
  isOptional: /^(optional_parameter|block_parameter|keyword_parameter)$/.test(node.type),
  isRest: /splat/.test(node.type),
})

function callExpression(node: Node): Expression | undefined {
  const [of, name, list] = [field(node, 'receiver'), field(node, 'method'), field(node, 'arguments')]
  if (!name) return undefined
  const count = list && /[(,\s][*&]/.test(` ${list.text}`) ? -1 : countOf(list)
  if (name.type === 'super') return calledAbove(node, count)
  if (isAssigned(node)) return { is: 'call', callee: { of, name: `${name.text}=` }, count: 1 }
  if (name.text !== 'new') return { is: 'call', callee: { of, name: name.text }, count }
  if (of && CONSTANT.test(of.type)) return { is: 'new', type: of, count }
  const holder = of ? undefined : [...around(node)].find(({ type }) => type === 'class')
  const className = holder && field(holder, 'name')
  return className && { is: 'new', type: className, count }
}

/** `super` alone, without the brackets that make it a call. */
const isPlainSuper = ({ parent, id }: Node): boolean => parent?.type !== 'call' || field(parent, 'method')?.id !== id

/** `super` calls the base's method of the same name, with or without arguments. */
function calledAbove(node: Node, count: number): Expression {
  const method = [...around(node)].find(({ type }) => /^(singleton_)?method$/.test(type))
  const name = method && field(method, 'name')?.text
  return name === undefined ? { is: 'super' } : { is: 'call', callee: { of: undefined, name, isOfBase: true }, count }
}

/** `a.name = 1` calls `name=`. */
const isAssigned = ({ parent, id }: Node): boolean =>
  parent?.type === 'left_assignment_list' || (parent?.type === 'assignment' && field(parent, 'left')?.id === id)

/** Methods that call or find a method by its name, and those that run a text. */
const LOOKS_UP = /^(send|public_send|__send__|method|public_method|instance_method|try)$/
/** Methods whose block runs on their receiver. */
const RUNS_ON = /^(instance|class|module)_(eval|exec)$/
/** Methods whose block runs on an instance or a class made later. */
const DEFINES = /(^|\.)define_(singleton_)?method$|^(Class|Module|Struct|Data)\.(new|define)$/
const EVALUATES = /^(eval|instance_eval|class_eval|module_eval)$/

function isLookup(call: Node): boolean {
  return LOOKS_UP.test(textOf(call, 'method'))
}

/** A symbol that declares or hides a method calls none. */
const isDeclared = ({ parent }: Node): boolean =>
  parent?.type === 'argument_list' &&
  /^(attr_\w+|attr|private|public|protected|module_function|(private|public)_class_method|private_constant)$/.test(
    textOf(parent.parent ?? undefined, 'method'),
  )

/** Nodes whose names are no calls. */
const DECLARES =
  /(^|_)(method|setter|parameter|parameters|alias|undef|lhs)$|^(left_assignment_list|exception_variable)$/

/** The name of a called method, of a parameter, or of an assigned variable. */
function isPlace({ parent, id }: Node): boolean {
  if (!parent) return false
  if (parent.type === 'call') return field(parent, 'method')?.id === id
  return DECLARES.test(parent.type) || (parent.type === 'assignment' && field(parent, 'left')?.id === id)
}
