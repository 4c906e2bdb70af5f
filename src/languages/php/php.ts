import type { Language } from '../language.ts'
import { HASH_COMMENT, lexing, QUOTED, SLASH_COMMENTS, TEXT } from '../nesting-tokens.ts'

export const php: Language = {
  name: 'php',
  title: 'PHP',
  extensions: ['php'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).php,
  documentation: { 'composer.json': ['php'] },
  nesting: lexing(HASH_COMMENT, SLASH_COMMENTS, TEXT, QUOTED),
  constructorName: '__construct',
  invokedAs: '__invoke',
  calledImplicitly: /^__(?!construct$)\w+$|^offset(Get|Set|Exists|Unset)$/,
  parentSkipsTraits: true,
  calledClass: 'static',
  needsReceivers: true,
  isOpenToBases: ({ exported }, { isMade }) => exported && !isMade,
  libraryTypes: {
    ArrayAccess: /^offset(Get|Set|Exists|Unset)$/,
    Countable: /^count$/,
    IteratorAggregate: /^getIterator$/,
    Iterator: /^(current|key|next|rewind|valid)$/,
    JsonSerializable: /^jsonSerialize$/,
    Stringable: /^__toString$/,
    Serializable: /^(un)?serialize$/,
    Exception: /^__\w+$/,
  },
  testPrefix: 'test',
  indentation: '    ',
}
