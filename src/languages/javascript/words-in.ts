import type { Node } from 'oxc-parser'
import { eachPart, type Role } from './parts.ts'

/** An occurrence of a name: used as itself, bound to something new, or the name of a part of something else. */
export interface Word {
  readonly name: string
  readonly start: number
  readonly role: 'use' | 'bind' | 'member'
}

/** Every name in a piece of a module. */
export function wordsIn(root: Node): readonly Word[] {
  const words: Word[] = []
  visit(root, 'use')
  return words

  function visit(node: Node, role: Role, around?: Node): void {
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') add(node, role, around)
    else if (node.type === 'TSImportType') {
      const { qualifier, typeArguments } = node
      if (qualifier) visit(qualifier.type === 'TSQualifiedName' ? qualifier.right : qualifier, 'member')
      if (typeArguments) visit(typeArguments, 'use')
      return
    }
    eachPart(node, role, (part, given) => visit(part, given, node))
  }

  function add({ type, name, start }: Extract<Node, { name: string }>, role: Role, around?: Node): void {
    // Lower-case names are HTML elements.
    const isElement = type === 'JSXIdentifier' && around?.type !== 'JSXMemberExpression' && /^[a-z]/.test(name)
    if (role !== 'label' && role !== 'none' && !isElement) words.push({ name, start, role })
  }
}
