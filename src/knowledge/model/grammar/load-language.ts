import { languageNamed } from '../../../languages/registry.ts'
import type { GrammarLanguage } from '../../../languages/grammar/grammar-language.ts'

/** Reports whether tree-sitter parses a language. */
export const hasGrammar = (name: string): boolean => languageNamed(name).grammar !== undefined

/** The rules of a language that tree-sitter parses. */
export async function loadLanguage(name: string): Promise<GrammarLanguage> {
  const rules = await languageNamed(name).grammar?.()
  if (!rules) throw new Error(`No grammar for ${name}`)
  return rules
}

/** The name of the language that a text is written in, if its extension does not tell. */
export const languageIn = (path: string, name: string, text: string): string =>
  languageNamed(name).detect?.(path, text) ?? name
