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
      return (await import('./javascript-syntax.ts')).javascriptSyntax(path, text)
    case 'vue': {
      const { text: script, ending } = scriptOf(text)
      return (await import('./javascript-syntax.ts')).javascriptSyntax(`${path}.${ending}`, script)
    }
    case 'css':
    case 'scss':
    case 'sass':
    case 'less':
      return undefined
    default:
      return (await import('./grammar-syntax.ts')).grammarSyntax(path, language, text)
  }
}

const SCRIPT = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>.*?)<\/script\s*>/dgs

/** The scripts of a component where they stand, with everything else made blank. */
function scriptOf(text: string): { readonly text: string; readonly ending: string } {
  let [script, ending, at] = ['', 'js', 0]
  for (const { groups, indices } of text.matchAll(SCRIPT)) {
    const [from = 0, to = 0] = indices?.groups?.['code'] ?? []
    script += blank(text.slice(at, from)) + text.slice(from, to)
    ending = /\blang\s*=\s*["']?(tsx?|jsx?)/.exec(groups?.['attributes'] ?? '')?.[1] ?? ending
    at = to
  }
  return { text: script + blank(text.slice(at)), ending }
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ')
