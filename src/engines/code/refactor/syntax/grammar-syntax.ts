import type { Node } from 'web-tree-sitter'
import { isReallyCpp } from '../../../index/facts/facts-of.ts'
import { loadRules } from '../../../index/facts/grammar/load-rules.ts'
import { parseText } from '../../../index/facts/grammar/parse-text.ts'
import type { LanguageRules, Named } from '../../../index/facts/grammar/rules.ts'
import type { Language } from '../../../index/facts/languages.ts'
import type { Span, Stretch, SyntaxFile } from './syntax-file.ts'

/** Where the symbols of a file stand whose grammar is tree-sitter's. */
export async function grammarSyntax(path: string, language: Language, text: string): Promise<SyntaxFile> {
  const rules = await loadRules(language === 'c' && isReallyCpp(path, text) ? 'cpp' : language)
  const tree = await parseText(rules, text)
  if (!tree) return { spans: [], comments: [], literals: [], error: { at: 0, message: 'It could not be parsed' } }
  try {
    return read(tree.rootNode, rules, text)
  } finally {
    tree.delete()
  }
}

const BODIES = /(^|_)(body|block|compound_statement|declaration_list|field_declaration_list|enum_variant_list)$/

function read(root: Node, rules: LanguageRules, text: string): SyntaxFile {
  const spans: Span[] = []
  const comments: Stretch[] = []
  const literals: Stretch[] = []
  visit(root, [])
  const bad = root.hasError ? firstError(root) : undefined
  return { spans, comments, literals, ...(bad && { error: { at: bad.startIndex, message: wordsFor(bad) } }) }

  function visit(node: Node, names: readonly string[]): void {
    if (/comment/.test(node.type)) return void comments.push(stretch(node))
    if (/string|heredoc/.test(node.type)) {
      if (node.startPosition.row !== node.endPosition.row && !isDoc(node)) literals.push(stretch(node))
      return
    }
    let inside = names
    const rule = node.isNamed && Object.hasOwn(rules.symbols, node.type) ? rules.symbols[node.type] : undefined
    const found = [rule?.(node) ?? []].flat()
    for (const each of found) spans.push(spanOf(node, each, names, found.length > 1))
    const [holder] = found
    const lent = rules.scopes && Object.hasOwn(rules.scopes, node.type) ? rules.scopes[node.type]?.(node) : undefined
    if (holder && holder.kind !== 'variable') inside = [...names, ...(holder.within ?? []), holder.name]
    else if (lent !== undefined) inside = [...names, lent]
    for (const child of node.children) if (child) visit(child, inside)
  }

  function spanOf(node: Node, { name, kind, within = [] }: Named, names: readonly string[], shares: boolean): Span {
    const whole = wholeOf(node)
    const body = node.childForFieldName('body') ?? node.children.find(child => child && BODIES.test(child.type))
    const value = body ?? node.childForFieldName('value') ?? node.childForFieldName('right')
    return {
      name: [...names, ...within, name].join('.'),
      kind,
      start: whole.startIndex,
      end: endOf(whole),
      nameAt: nameAt(node, name),
      headAt: node.startIndex,
      ...(value && { body: { start: value.startIndex, end: endOf(value) } }),
      ...(shares && { shares: true as const }),
    }
  }

  function wholeOf(node: Node): Node {
    const { parent } = node
    if (!parent) return node
    if (rules.wrappers?.has(parent.type)) return parent
    // A statement that is nothing but the declaration, such as Python's assignments and Go's `var x = 1`.
    const isOnly = parent.namedChildCount === 1 && /statement|^(var|const|type)_declaration$/.test(parent.type)
    return isOnly ? parent : node
  }

  /** A node may end with the line ends after it. */
  function endOf({ startIndex, endIndex }: Node): number {
    const written = text.slice(startIndex, endIndex).trimEnd().length
    return startIndex + written
  }
}

/** Where a name is written in its declaration: the field of that name, else the first word that is it. */
function nameAt(node: Node, name: string): number {
  const plain = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1)
  const field = node.childForFieldName('name')
  if (field?.text === plain) return field.startIndex
  const word = new RegExp(`(?<![\\w$])${plain.replaceAll(/[^\w]/g, String.raw`\$&`)}(?![\\w$])`, 'u').exec(node.text)
  return node.startIndex + (word?.index ?? 0)
}

/** A text that is a statement of its own says what the code around it does. */
const isDoc = ({ type, parent }: Node): boolean => type === 'string' && parent?.type === 'expression_statement'

function firstError(node: Node): Node | undefined {
  if (node.isError || node.isMissing) return node
  for (const child of node.children) {
    const found = child?.hasError || child?.isMissing ? child && firstError(child) : undefined
    if (found) return found
  }
  return undefined
}

const wordsFor = (node: Node): string => (node.isMissing ? `Missing ${node.type}` : 'This does not parse')

const stretch = ({ startIndex, endIndex }: Node): Stretch => ({ start: startIndex, end: endIndex })
