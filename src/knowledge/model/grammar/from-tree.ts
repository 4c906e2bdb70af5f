import type { Tree } from 'web-tree-sitter'
import type { Language } from '../languages.ts'
import type { GrammarLanguage } from './language.ts'
import { loadLanguage, spokenIn } from './load-language.ts'
import { parseText } from './parse-text.ts'

/** Reads the tree of a file in a language that tree-sitter parses, and frees it; undefined if there is no tree. */
export async function fromTree<T>(
  path: string,
  said: Language,
  text: string,
  read: (tree: Tree, language: GrammarLanguage, spoken: Language) => T,
): Promise<T | undefined> {
  const spoken = spokenIn(path, said, text)
  const language = await loadLanguage(spoken)
  const tree = await parseText(language, text)
  try {
    return tree && read(tree, language, spoken)
  } finally {
    tree?.delete()
  }
}
