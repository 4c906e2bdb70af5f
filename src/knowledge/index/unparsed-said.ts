import { wordsForUnparsed, type Unparsed } from '../parser/ask-parser.ts'
import { nothingIn } from '../model/facts/facts-of.ts'
import type { Said } from './table/entry.ts'
import { keptFacts } from './table/kept-facts.ts'

/** What the index keeps of a file that could not be parsed. */
export const unparsedSaid = (language: string, why: Unparsed): Said => ({
  facts: keptFacts(nothingIn(language)),
  unparsed: wordsForUnparsed(why),
})
