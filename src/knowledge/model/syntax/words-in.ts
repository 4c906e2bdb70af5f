import type { Node } from 'oxc-parser'
import { childrenOf } from '../javascript/scope.ts'

/** A name where it is written: used as itself, bound to something new, or the name of a part of something else. */
export interface Word {
  readonly name: string
  readonly start: number
  readonly role: 'use' | 'bind' | 'member'
}

/** Every name that a piece of a module writes. */
export function wordsIn(root: Node): readonly Word[] {
  const words: Word[] = []
  visit(root)
  return words

  function add(node: Node, role: Word['role']): void {
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return visit(node)
    words.push({ name: node.name, start: node.start, role })
    inside(node)
  }

  function inside(node: Node): void {
    for (const child of childrenOf(node)) visit(child)
  }

  /** A key is the name of a part, unless it is computed. */
  function keyed(node: Node, key: Node, computed: boolean): void {
    if (computed) visit(key)
    else if (key.type === 'Identifier') words.push({ name: key.name, start: key.start, role: 'member' })
    for (const child of childrenOf(node)) if (child !== key) visit(child)
  }

  function bind(pattern: Node | null): void {
    switch (pattern?.type) {
      case 'Identifier':
        return add(pattern, 'bind')
      case 'AssignmentPattern':
        bind(pattern.left)
        return visit(pattern.right)
      case 'RestElement':
        bind(pattern.argument)
        return pattern.typeAnnotation ? visit(pattern.typeAnnotation) : undefined
      case 'TSParameterProperty':
        return bind(pattern.parameter)
      case 'ArrayPattern':
        for (const element of pattern.elements) bind(element)
        return pattern.typeAnnotation ? visit(pattern.typeAnnotation) : undefined
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          if (property.type === 'RestElement') {
            bind(property.argument)
            continue
          }
          if (property.computed) visit(property.key)
          else if (property.key.type === 'Identifier' && !property.shorthand) add(property.key, 'member')
          bind(property.value)
        }
        return pattern.typeAnnotation ? visit(pattern.typeAnnotation) : undefined
      default:
        return pattern ? visit(pattern) : undefined
    }
  }

  function visit(node: Node): void {
    switch (node.type) {
      case 'Identifier':
        return add(node, 'use')
      case 'JSXIdentifier':
        return /^[a-z]/.test(node.name) ? undefined : add(node, 'use')
      case 'MemberExpression':
        visit(node.object)
        return node.computed ? visit(node.property) : add(node.property, 'member')
      case 'JSXMemberExpression':
        add(node.object, 'use')
        return add(node.property, 'member')
      case 'TSQualifiedName':
        visit(node.left)
        return add(node.right, 'member')
      case 'TSImportType':
        if (node.qualifier)
          add(node.qualifier.type === 'TSQualifiedName' ? node.qualifier.right : node.qualifier, 'member')
        return node.typeArguments ? visit(node.typeArguments) : undefined
      case 'Property':
        if (node.shorthand) return visit(node.value)
        return keyed(node, node.key, node.computed)
      case 'MethodDefinition':
      case 'TSAbstractMethodDefinition':
      case 'PropertyDefinition':
      case 'TSAbstractPropertyDefinition':
      case 'AccessorProperty':
      case 'TSPropertySignature':
        return keyed(node, node.key, node.computed)
      case 'TSMethodSignature':
        if (node.computed) visit(node.key)
        for (const param of node.params) bind(param)
        if (node.typeParameters) visit(node.typeParameters)
        return node.returnType ? visit(node.returnType) : undefined
      case 'TSEnumMember':
        return node.initializer ? visit(node.initializer) : undefined
      case 'JSXAttribute':
        return node.value ? visit(node.value) : undefined
      case 'LabeledStatement':
        return visit(node.body)
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
        return
      case 'VariableDeclarator':
        bind(node.id)
        return node.init ? visit(node.init) : undefined
      case 'CatchClause':
        bind(node.param)
        return visit(node.body)
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'TSDeclareFunction':
      case 'TSEmptyBodyFunctionExpression':
      case 'ArrowFunctionExpression':
        if (node.id) add(node.id, 'bind')
        for (const param of node.params) bind(param)
        if (node.typeParameters) visit(node.typeParameters)
        if (node.returnType) visit(node.returnType)
        return node.body ? visit(node.body) : undefined
      case 'TSFunctionType':
      case 'TSConstructorType':
      case 'TSCallSignatureDeclaration':
      case 'TSConstructSignatureDeclaration':
        for (const param of node.params) bind(param)
        if (node.typeParameters) visit(node.typeParameters)
        return node.returnType ? visit(node.returnType) : undefined
      case 'TSIndexSignature':
        return visit(node.typeAnnotation)
      case 'TSTypePredicate':
        return node.typeAnnotation ? visit(node.typeAnnotation) : undefined
      case 'TSNamedTupleMember':
        return visit(node.elementType)
      case 'ClassDeclaration':
      case 'ClassExpression':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSEnumDeclaration':
      case 'TSModuleDeclaration':
        if (node.id) add(node.id, 'bind')
        for (const child of childrenOf(node)) if (child !== node.id) visit(child)
        return
      case 'TSTypeParameter':
        add(node.name, 'bind')
        if (node.constraint) visit(node.constraint)
        return node.default ? visit(node.default) : undefined
      default:
        inside(node)
    }
  }
}
