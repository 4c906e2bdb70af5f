import { wordsForUnparsed, type Unparsed } from '../parser/ask-parser.ts'
import { nothingIn } from '../model/facts/facts-of.ts'
import type { FileRecord } from './table/entry.ts'
import { keptFacts } from './table/kept-facts.ts'

/** Returns the index record of a file that could not be parsed. */
export const unparsedRecord = (language: string, why: Unparsed): FileRecord => ({
  facts: keptFacts(nothingIn(language)),
  unparsed: wordsForUnparsed(why),
})
