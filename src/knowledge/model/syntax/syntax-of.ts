import { languageOf, readerOf } from '../../../languages/registry.ts'
import { LARGEST } from '../facts/facts-of.ts'
import { outlineSyntax } from './outline-syntax.ts'
import type { SyntaxFile } from '../../../languages/file-model/syntax-file.ts'

/** Reads a file with exact places; undefined if its language is unknown. */
export async function syntaxOf(path: string, text: string): Promise<SyntaxFile | undefined> {
  const language = languageOf(path)
  const reader = language && readerOf(language)
  if (!reader || text.length > LARGEST) return undefined
  if (reader === 'script') {
    const { scriptOutline } = await import('../../../languages/javascript/javascript-model.ts')
    return outlineSyntax(scriptOutline(path, language, text, { entries: true }))
  }
  const model = await (await import('../grammar/grammar-model.ts')).grammarModel(path, language, text)
  return outlineSyntax(model ?? { symbols: [], error: { at: 0, message: 'It could not be parsed' } })
}
