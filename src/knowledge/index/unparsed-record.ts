import { languageOf, readerOf } from '../../languages/registry.ts'
import { wordsForUnparsed, type Unparsed } from '../parser/ask-parser.ts'
import { nothingIn } from '../model/facts/facts-of.ts'
import type { FileRecord } from './table/entry.ts'
import { packFacts } from './table/pack-facts.ts'

/** Returns the reason of a file that is too large, if its language has symbols. */
export function unparsedForSize(path: string): Pick<FileRecord, 'unparsed'> {
  const language = languageOf(path)
  return language !== undefined && readerOf(language) ? { unparsed: wordsForUnparsed('size') } : {}
}

/** Returns the index record of a file that could not be parsed. */
export const unparsedRecord = (language: string, why: Unparsed): FileRecord => ({
  facts: packFacts(nothingIn(language)),
  unparsed: wordsForUnparsed(why),
})
