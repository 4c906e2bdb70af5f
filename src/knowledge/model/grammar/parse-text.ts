import { Parser, type Node, type Tree } from 'web-tree-sitter'
import { loadGrammar } from '../../../machine/grammar/load-grammar.ts'
import { grammarFile } from './grammar-file.ts'
import type { GrammarLanguage } from '../../../languages/grammar/grammar-language.ts'

const parsers = new Map<string, Promise<Parser>>()

/** One parser for each grammar, loaded on first use. */
function loadParser({ grammar }: GrammarLanguage): Promise<Parser> {
  const parser = parsers.get(grammar)
  if (parser) return parser
  const newParser = loadGrammar(grammarFile(grammar)).then(loaded => new Parser().setLanguage(loaded))
  parsers.set(grammar, newParser)
  return newParser
}

/** Parses a text. If the grammar fails and the language has an easier text of equal length, returns the better tree. */
export async function parseText(language: GrammarLanguage, text: string): Promise<Tree | undefined> {
  const parser = await loadParser(language)
  const tree = parser.parse(text) ?? undefined
  if (!tree?.rootNode.hasError) return tree
  const easier = language.easier?.(text) ?? text
  const other = easier === text ? undefined : (parser.parse(easier) ?? undefined)
  if (!other) return tree
  const [best, worst] = lostIn(other) < lostIn(tree) ? [other, tree] : [tree, other]
  worst.delete()
  return best
}

/** The outermost error nodes, and the missing nodes that the grammar inserted. */
export function errorsIn(root: Node): readonly Node[] {
  const errorNodes: Node[] = []
  const open = [root]
  for (let node = open.pop(); node; node = open.pop())
    if (node.isError || node.isMissing) errorNodes.push(node)
    else if (node.hasError) for (const child of node.children.toReversed()) if (child) open.push(child)
  return errorNodes
}

/** The length of the text in errors; 1 for a missing character. */
const lostIn = ({ rootNode }: Tree): number =>
  errorsIn(rootNode).reduce((sum, { startIndex, endIndex }) => sum + endIndex - startIndex, rootNode.hasError ? 1 : 0)
