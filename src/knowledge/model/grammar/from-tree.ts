import type { Tree } from 'web-tree-sitter'
import type { GrammarLanguage } from '../../../languages/grammar/grammar-language.ts'
import { loadLanguage, languageIn } from './load-language.ts'
import { parseText } from './parse-text.ts'

/** Reads the tree of a file in a language that tree-sitter parses, and frees it; undefined if there is no tree. */
export async function fromTree<T>(
  path: string,
  byExtension: string,
  text: string,
  read: (tree: Tree, language: GrammarLanguage, actual: string) => T,
): Promise<T | undefined> {
  const actual = languageIn(path, byExtension, text)
  const language = await loadLanguage(actual)
  const tree = await parseText(language, text)
  try {
    return tree && read(tree, language, actual)
  } finally {
    tree?.delete()
  }
}
