import { Language as Grammar, Parser, type Node, type Tree } from 'web-tree-sitter'
import { grammarFile } from './grammar-file.ts'
import type { GrammarLanguage } from './language.ts'

const parsers = new Map<string, Promise<Parser>>()
let started: Promise<void> | undefined

/** One parser for each grammar, loaded when a file first needs it. */
function loadParser({ grammar }: GrammarLanguage): Promise<Parser> {
  const known = parsers.get(grammar)
  if (known) return known
  const made = (async () => {
    await (started ??= Parser.init())
    const loaded = await Grammar.load(grammarFile(grammar))
    return new Parser().setLanguage(loaded)
  })()
  parsers.set(grammar, made)
  return made
}

/** The tree of a text; where the grammar stumbles and the language knows an easier text of the same length, the better of both. */
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

/** The outermost nodes that the grammar could make nothing of, and those that it had to think of. */
export function errorsIn(root: Node): readonly Node[] {
  const found: Node[] = []
  const open = [root]
  for (let node = open.pop(); node; node = open.pop())
    if (node.isError || node.isMissing) found.push(node)
    else if (node.hasError) for (const child of node.children.toReversed()) if (child) open.push(child)
  return found
}

/** How much of the text is in errors; 1 where only a character had to be thought of. */
const lostIn = ({ rootNode }: Tree): number =>
  errorsIn(rootNode).reduce((sum, { startIndex, endIndex }) => sum + endIndex - startIndex, rootNode.hasError ? 1 : 0)
