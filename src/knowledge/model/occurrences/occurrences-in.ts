import { LARGEST } from '../facts/facts-of.ts'
import { languageOf } from '../languages.ts'
import { wordOf } from '../syntax/word-of.ts'
import type { WrittenName } from './occurrence.ts'

/** Every place where a file of source code writes a name, and how; undefined where its language is not parsed. */
export async function occurrencesIn(
  path: string,
  text: string,
  name: string,
): Promise<readonly WrittenName[] | undefined> {
  const language = languageOf(path)
  if (language === undefined || text.length > LARGEST) return undefined
  const places = Array.from(text.matchAll(wordOf(name, 'gu')), ({ index }) => index)
  switch (language) {
    case 'typescript':
    case 'javascript':
    case 'vue':
      return (await import('./script-occurrences.ts')).scriptOccurrences(path, text, name, places)
    case 'css':
    case 'scss':
    case 'sass':
    case 'less':
      return undefined
    default:
      return (await import('./grammar-occurrences.ts')).grammarOccurrences(path, text, name, places)
  }
}
