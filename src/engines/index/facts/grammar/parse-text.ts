import type { Node, Tree } from 'web-tree-sitter'
import { loadParser } from './load-parser.ts'
import type { LanguageRules } from './rules.ts'

/** The tree of a text; where the grammar stumbles and the rules know an easier text of the same length, the better of both. */
export async function parseText(rules: LanguageRules, text: string): Promise<Tree | undefined> {
  const parser = await loadParser(rules)
  const tree = parser.parse(text) ?? undefined
  if (!tree?.rootNode.hasError) return tree
  const easier = rules.easier?.(text) ?? text
  const other = easier === text ? undefined : (parser.parse(easier) ?? undefined)
  if (!other) return tree
  const [best, worst] = lostIn(other) < lostIn(tree) ? [other, tree] : [tree, other]
  worst.delete()
  return best
}

/** The outermost nodes that the grammar could make nothing of. */
export function errorsIn(node: Node): readonly Node[] {
  if (node.isError) return [node]
  return node.hasError ? node.children.flatMap(child => (child ? errorsIn(child) : [])) : []
}

/** How much of the text is in errors; 1 where only a sign had to be thought of. */
const lostIn = ({ rootNode }: Tree): number =>
  errorsIn(rootNode).reduce((sum, { startIndex, endIndex }) => sum + endIndex - startIndex, rootNode.hasError ? 1 : 0)
