import { LARGEST } from '../../../index/facts/facts-of.ts'
import { languageOf } from '../../../index/facts/languages.ts'
import type { SyntaxFile } from './syntax-file.ts'

/** Reads a file with exact places; undefined where nobody knows its language. */
export async function syntaxOf(path: string, text: string): Promise<SyntaxFile | undefined> {
  const language = languageOf(path)
  if (language === undefined || text.length > LARGEST) return undefined
  switch (language) {
    case 'typescript':
    case 'javascript':
    case 'vue':
      return (await import('./javascript-syntax.ts')).javascriptSyntax(path, text)
    case 'css':
    case 'scss':
    case 'sass':
    case 'less':
      return undefined
    default:
      return (await import('./grammar-syntax.ts')).grammarSyntax(path, language, text)
  }
}
