import { LARGEST } from '../facts/facts-of.ts'
import { languageOf, type Language } from '../languages.ts'
import { scriptOnly } from '../script-only.ts'
import { outlineSyntax } from './outline-syntax.ts'
import type { SyntaxFile } from './syntax-file.ts'

/** Reads a file with exact places; undefined where nobody knows its language. */
export async function syntaxOf(path: string, text: string): Promise<SyntaxFile | undefined> {
  const language = languageOf(path)
  if (language === undefined || text.length > LARGEST) return undefined
  switch (language) {
    case 'typescript':
    case 'javascript':
      return javascriptSyntax(path, language, text)
    case 'vue': {
      const script = scriptOnly(text)
      return javascriptSyntax(`${path}.${script.ending}`, language, script.text)
    }
    case 'css':
    case 'scss':
    case 'sass':
    case 'less':
      return undefined
    default: {
      const model = await (await import('../grammar/grammar-model.ts')).grammarModel(path, language, text)
      return outlineSyntax(model ?? { symbols: [], error: { at: 0, message: 'It could not be parsed' } })
    }
  }
}

async function javascriptSyntax(path: string, language: Language, text: string): Promise<SyntaxFile> {
  const { javascriptOutline } = await import('../javascript/javascript-model.ts')
  return outlineSyntax(javascriptOutline(path, language, text, { entries: true }))
}
