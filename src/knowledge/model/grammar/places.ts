import type { Node } from 'web-tree-sitter'
import type { Declaration } from '../../../languages/file-model/file-model.ts'
import type { DeclarationSpan, Stretch } from '../../../languages/file-model/syntax-file.ts'
import { wordOf } from '../../../languages/file-model/word-of.ts'
import { signatureOf } from '../../../languages/file-model/signature.ts'
import { field } from '../../../languages/grammar/describe.ts'
import type { GrammarLanguage } from '../../../languages/grammar/grammar-language.ts'

const BODIES = /(^|_)(body|block|compound_statement|declaration_list|field_declaration_list|enum_variant_list)$/
const ANNOTATIONS = /^(\s*@[\w.:]+(\((?:[^()]|\([^()]*\))*\))?\s+|\s*#\[[^\]]*\]\s*|\s*\[[A-Z][^\]]*\]\s*)+/

/** A node may end with the line end after it. */
export function linesOf({ startPosition, endPosition }: Node): { readonly from: number; readonly to: number } {
  const endsBefore = endPosition.column === 0 && endPosition.row > startPosition.row
  return { from: startPosition.row + 1, to: endPosition.row + (endsBefore ? 0 : 1) }
}

export const stretchOf = ({ startIndex, endIndex }: Node): Stretch => ({ start: startIndex, end: endIndex })

/** The node with its wrappers: decorators, templates. */
export const withWrappers = (node: Node, { wrappers }: GrammarLanguage): Node =>
  node.parent && wrappers?.has(node.parent.type) ? node.parent : node

/** The exact stretch of a declaration, and its head on one line. */
export function spanOf(
  node: Node,
  name: string,
  isShared: boolean,
  text: string,
  language: GrammarLanguage,
): DeclarationSpan & Pick<Declaration, 'signature'> {
  const whole = statementOf(node, language)
  const body = field(node, 'body') ?? node.children.find(child => child && BODIES.test(child.type)) ?? undefined
  const value = body ?? field(node, 'value') ?? field(node, 'right')
  return {
    signature: signatureOf(text, headOf(node, text), body?.isNamed ? body.startIndex : node.endIndex),
    start: whole.startIndex,
    end: endOf(whole, text),
    nameAt: nameAt(node, name, text),
    headAt: node.startIndex,
    ...(value && { body: { start: value.startIndex, end: endOf(value, text) } }),
    ...(isShared && { shares: true as const }),
  }
}

function statementOf(node: Node, language: GrammarLanguage): Node {
  const whole = withWrappers(node, language)
  const { parent } = whole
  // A statement that is only the declaration, such as Python's assignments and Go's `var x = 1`.
  const isOnly =
    whole === node && parent?.namedChildCount === 1 && /statement|^(var|const|type)_declaration$/.test(parent.type)
  return isOnly ? parent : whole
}

/** The start of its head, without annotations. */
const headOf = ({ startIndex }: Node, text: string): number =>
  startIndex + (ANNOTATIONS.exec(text.slice(startIndex, startIndex + 2_000))?.[0].length ?? 0)

/** A node may end with the line ends after it. */
function endOf({ startIndex, endIndex }: Node, text: string): number {
  let end = endIndex
  while (end > startIndex && /\s/.test(text[end - 1] ?? '')) end--
  return end
}

/** The position of a name in its declaration: the field `name`, else the first matching word. */
function nameAt(node: Node, name: string, text: string): number {
  const plain = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1)
  const nameField = field(node, 'name')
  if (nameField?.text === plain) return nameField.startIndex
  return node.startIndex + (wordOf(plain).exec(text.slice(node.startIndex, node.endIndex))?.index ?? 0)
}
