import { languageOf, readerOf } from '../../../languages/registry.ts'
import { LARGEST } from '../facts/facts-of.ts'
import { wordOf } from '../../../languages/file-model/word-of.ts'
import type { WrittenName } from './occurrence.ts'

/** Every occurrence of a name in a source file, with its kind; undefined if the language is not parsed. */
export async function occurrencesIn(
  path: string,
  text: string,
  name: string,
): Promise<readonly WrittenName[] | undefined> {
  const language = languageOf(path)
  const reader = language && readerOf(language)
  if (!reader || text.length > LARGEST) return undefined
  const places = Array.from(text.matchAll(wordOf(name, 'gu')), ({ index }) => index)
  return reader === 'script'
    ? (await import('./script-occurrences.ts')).scriptOccurrences(path, text, name, places)
    : (await import('./grammar-occurrences.ts')).grammarOccurrences(path, language, text, name, places)
}
