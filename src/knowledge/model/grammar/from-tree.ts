import type { Tree } from 'web-tree-sitter'
import type { Language } from '../languages.ts'
import type { GrammarLanguage } from './language.ts'
import { loadLanguage, languageIn } from './load-language.ts'
import { parseText } from './parse-text.ts'

/** Reads the tree of a file in a language that tree-sitter parses, and frees it; undefined if there is no tree. */
export async function fromTree<T>(
  path: string,
  byExtension: Language,
  text: string,
  read: (tree: Tree, language: GrammarLanguage, actual: Language) => T,
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
