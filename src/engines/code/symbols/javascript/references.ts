import type { JSXOpeningElement, Node, Program } from 'oxc-parser'
import type { Reference, Value } from '../file-code.ts'
import type { Reading } from './reading.ts'
import { childrenOf, lookUp, type Scope } from './scope.ts'
import { namedType, valueOf } from './value-of.ts'

interface At {
  readonly scope: Scope
  readonly by: number
}

/** Everything that a file calls or uses, with the symbol that does it. */
export function referencesIn(reading: Reading, program: Program, root: Scope): readonly Reference[] {
  const found: Reference[] = []
  const used = new Set<string>()
  for (const statement of program.body) walk(statement, { scope: root, by: -1 })
  return found

  function walk(node: Node, around: At): void {
    const at = { scope: reading.scopeOf.get(node) ?? around.scope, by: reading.symbolOf.get(node) ?? around.by }
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'TSImportEqualsDeclaration':
        return
      case 'ExportNamedDeclaration':
        if (node.declaration) walk(node.declaration, at)
        return
      case 'ExportSpecifier':
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
      case 'TSTypeParameter':
        if (node.type === 'TSTypeParameter') each([node.constraint, node.default], at)
        return
      case 'CallExpression':
        callee(node.callee, 'call', at, node.arguments.some(isSpread) ? -1 : node.arguments.length)
        return each([node.typeArguments, ...node.arguments], at)
      case 'NewExpression':
        callee(node.callee, 'new', at, node.arguments.some(isSpread) ? -1 : node.arguments.length)
        return each([node.typeArguments, ...node.arguments], at)
      case 'TaggedTemplateExpression':
        callee(node.tag, 'call', at, -1)
        return each([node.typeArguments, node.quasi], at)
      case 'Decorator':
        // With arguments it is a call of its own.
        if (node.expression.type === 'CallExpression') return walk(node.expression, at)
        return callee(node.expression, 'call', at, -1)
      case 'JSXOpeningElement':
        component(node, at)
        return each([node.typeArguments, ...node.attributes], at)
      case 'JSXClosingElement':
        return
      case 'Identifier':
        return use(node, declaredName(node.name, 'values', at), at)
      case 'MemberExpression': {
        use(node.property, valueOf(reading, node, at.scope), at)
        walk(node.object, at)
        if (node.computed) walk(node.property, at)
        return
      }
      case 'TSTypeReference':
        use(node, namedType(node.typeName, at.scope), at)
        return each([node.typeArguments], at)
      case 'TSTypeQuery':
        if (node.exprName.type === 'Identifier') use(node, declaredName(node.exprName.name, 'values', at), at)
        return
      case 'TSImportType':
        return each([node.typeArguments], at)
      case 'TSInterfaceHeritage':
      case 'TSClassImplements':
        return each([node.typeArguments], at)
      case 'Property':
      case 'MethodDefinition':
      case 'TSAbstractMethodDefinition':
      case 'PropertyDefinition':
      case 'TSAbstractPropertyDefinition':
      case 'AccessorProperty':
      case 'TSAbstractAccessorProperty':
      case 'TSPropertySignature':
      case 'TSMethodSignature':
      case 'TSEnumMember':
        for (const child of childrenOf(node)) {
          const isKey = child === ('key' in node ? node.key : node.id)
          const isShorthand = node.type === 'Property' && node.shorthand
          if (!isKey || ('computed' in node && node.computed) || isShorthand) {
            if (!(isKey && isShorthand)) walkPart(child, at)
          }
        }
        return
      case 'LabeledStatement':
        return walk(node.body, at)
      case 'CatchClause':
        if (node.param) pattern(node.param, at)
        return walk(node.body, at)
      case 'VariableDeclarator':
        pattern(node.id, at)
        if (node.init) walk(node.init, at)
        return
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.superClass) {
          use(node.superClass, valueOf(reading, node.superClass, around.scope), at)
          if (node.superClass.type !== 'Identifier') walk(node.superClass, at)
        }
        each([...node.decorators, node.typeParameters, node.superTypeArguments, ...(node.implements ?? [])], at)
        return walk(node.body, at)
      case 'TSInterfaceDeclaration':
        return each([node.typeParameters, ...node.extends, node.body], at)
      case 'TSTypeAliasDeclaration':
        return each([node.typeParameters, node.typeAnnotation], at)
      case 'TSEnumDeclaration':
        return walk(node.body, at)
      case 'TSModuleDeclaration':
        if (node.body) walk(node.body, at)
        return
    }
    for (const child of childrenOf(node)) {
      const isName = 'id' in node && node.id === child
      const isParam = 'params' in node && Array.isArray(node.params) && node.params.some(param => param === child)
      if (isName) continue
      if (isParam) pattern(child, at)
      else walk(child, at)
    }
  }

  function walkPart(child: Node, at: At): void {
    if (child.type.endsWith('Pattern')) pattern(child, at)
    else walk(child, at)
  }

  function each(nodes: readonly (Node | null | undefined)[], at: At): void {
    for (const node of nodes) if (node) walk(node, at)
  }

  /** Of what binds names only defaults and types refer to something. */
  function pattern(node: Node, at: At): void {
    switch (node.type) {
      case 'Identifier':
        each([node.typeAnnotation], at)
        return
      case 'AssignmentPattern':
        pattern(node.left, at)
        return walk(node.right, at)
      case 'RestElement':
        pattern(node.argument, at)
        each([Reflect.get(node, 'typeAnnotation')], at)
        return
      case 'TSParameterProperty':
        each(node.decorators, at)
        return pattern(node.parameter, at)
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'RestElement') continue
          if (property.computed) walk(property.key, at)
          pattern(property.value, at)
        }
        return each([node.typeAnnotation], at)
      case 'ArrayPattern':
        for (const element of node.elements) if (element) pattern(element, at)
        return each([node.typeAnnotation], at)
      default:
        walk(node, at)
    }
  }

  function callee(node: Node, kind: 'call' | 'new', at: At, count: number): void {
    const inner = unwrapped(node)
    const value = valueOf(reading, inner, at.scope)
    if (value) found.push({ kind, by: at.by, line: reading.lines.of(nameStart(inner)), value, count })
    if (inner.type === 'MemberExpression') {
      walk(inner.object, at)
      if (inner.computed) walk(inner.property, at)
    } else if (inner.type !== 'Identifier') walk(inner, at)
  }

  function component(node: JSXOpeningElement, at: At): void {
    let name: Node = node.name
    const members: string[] = []
    while (name.type === 'JSXMemberExpression') {
      members.unshift(name.property.name)
      name = name.object
    }
    const first = name.type === 'JSXIdentifier' ? name.name : undefined
    // Small letters are elements of the page.
    if (first === undefined || (members.length === 0 && /^[a-z]/.test(first))) return
    const base = declaredName(first, 'values', at)
    const value = base && members.reduce<Value>((left, member) => ['member', left, member], base)
    if (value) found.push({ kind: 'call', by: at.by, line: reading.lines.of(node.name.start), value, count: -1 })
  }

  function use(node: Node, value: Value | undefined, at: At): void {
    if (!value || value[0] === 'name') return
    const key = `${at.by}:${JSON.stringify(value)}`
    if (used.has(key)) return
    used.add(key)
    found.push({ kind: 'use', by: at.by, line: reading.lines.of(node.start), value })
  }

  function declaredName(name: string, space: 'values' | 'types', at: At): Value | undefined {
    const value = lookUp(at.scope, space, name)?.()
    return value?.[0] === 'symbol' || value?.[0] === 'import' ? value : undefined
  }
}

const isSpread = (node: Node): boolean => node.type === 'SpreadElement'

const unwrapped = (node: Node): Node =>
  node.type === 'TSNonNullExpression' ||
  node.type === 'ParenthesizedExpression' ||
  node.type === 'ChainExpression' ||
  node.type === 'TSInstantiationExpression'
    ? unwrapped(node.expression)
    : node

const nameStart = (node: Node): number => (node.type === 'MemberExpression' ? node.property.start : node.start)
