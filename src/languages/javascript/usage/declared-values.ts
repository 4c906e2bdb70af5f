import type { BindingPattern, Node, Program } from 'oxc-parser'
import { boundNames, memberName } from '../names.ts'
import { childrenOf } from '../scope.ts'

type Kind = 'number' | 'text' | 'whole'

/** What the declarations of a name in a file hold, in whatever scope. */
export interface DeclaredValues {
  /** Reports whether all of them are numbers, texts, or constants with a text that is written whole. */
  is(name: string, kind: Kind): boolean
}

const NOTHING: ReadonlySet<Kind> = new Set()

export function declaredValues(program: Program): DeclaredValues {
  const kindsByName = new Map<string, ReadonlySet<Kind>>()
  const open: Node[] = [program]
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...childrenOf(node))
    switch (node.type) {
      case 'VariableDeclarator':
        declare(node.id, node.init ? kindsOfValue(node.init) : NOTHING)
        break
      case 'AssignmentExpression':
        if (/^\+?=$/.test(node.operator) && node.left.type === 'Identifier')
          add(node.left.name, kindsOfValue(node.right))
        break
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        for (const each of node.params) parameter(each)
        break
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.left.type === 'Identifier') add(node.left.name, NOTHING)
        break
      case 'CatchClause':
        if (node.param) declare(node.param, NOTHING)
        break
      case 'ImportSpecifier':
      case 'ImportDefaultSpecifier':
      case 'ImportNamespaceSpecifier':
        add(node.local.name, NOTHING)
        break
      default:
    }
  }
  return { is: (name, kind) => kindsByName.get(name)?.has(kind) ?? false }

  function parameter(node: Node): void {
    if (node.type === 'TSParameterProperty') parameter(node.parameter)
    else if (node.type === 'AssignmentPattern') declare(node.left, kindsOfValue(node.right))
    else declare(node.type === 'RestElement' ? node.argument : node, NOTHING)
  }

  function declare(pattern: Node, value: ReadonlySet<Kind>): void {
    if (pattern.type === 'Identifier') add(pattern.name, annotation(pattern) ?? value)
    else if (isPattern(pattern)) for (const { name } of boundNames(pattern)) add(name, NOTHING)
  }

  function add(name: string, kinds: ReadonlySet<Kind>): void {
    kindsByName.set(name, new Set([...kinds].filter(kind => kindsByName.get(name)?.has(kind) ?? true)))
  }
}

const isPattern = (node: Node): node is Extract<BindingPattern, { type: 'ObjectPattern' | 'ArrayPattern' }> =>
  node.type === 'ObjectPattern' || node.type === 'ArrayPattern'

const NUMBER: ReadonlySet<Kind> = new Set<Kind>(['number'])
const TEXT: ReadonlySet<Kind> = new Set<Kind>(['text'])
const WHOLE: ReadonlySet<Kind> = new Set<Kind>(['text', 'whole'])

function annotation(node: Extract<Node, { type: 'Identifier' }>): ReadonlySet<Kind> | undefined {
  if (!('typeAnnotation' in node) || !node.typeAnnotation) return undefined
  const { type } = node.typeAnnotation.typeAnnotation
  return type === 'TSNumberKeyword' ? NUMBER : type === 'TSStringKeyword' ? TEXT : NOTHING
}

function kindsOfValue(node: Node): ReadonlySet<Kind> {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number' ? NUMBER : typeof node.value === 'string' ? WHOLE : NOTHING
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? WHOLE : TEXT
    case 'UnaryExpression':
      return /^[-+~]$/.test(node.operator) ? NUMBER : NOTHING
    case 'UpdateExpression':
      return NUMBER
    case 'MemberExpression':
      return memberName(node) === 'length' ? NUMBER : NOTHING
    case 'BinaryExpression':
      return /^(-|\*|\/|%|\*\*|\||&|\^|<<|>>>?)$/.test(node.operator) ? NUMBER : NOTHING
    default:
      return NOTHING
  }
}
