import type { Language } from '../language.ts'
import { HASH_COMMENT, lexing, QUOTED, TEXT } from '../nesting-tokens.ts'

export const ruby: Language = {
  name: 'ruby',
  libraryFrames: /\bgems\//,
  extensions: ['rb', 'rake'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).ruby,
  documentation: { Gemfile: ['ruby'] },
  nesting: lexing(HASH_COMMENT, TEXT, QUOTED),
  constructorName: 'initialize',
  namesMayCall: true,
  blocksHaveReceivers: true,
  calledImplicitly:
    /^\W+$|^(call|each|hash|eql\?|inspect|to_(s|str|sym|proc|a|ary|h|hash|i|int|f|r|c|io|path|json)|coerce|method_missing|respond_to_missing\?|const_missing|inherited|included|extended|prepended|(singleton_)?method_(added|removed|undefined)|initialize_(copy|dup|clone)|marshal_(dump|load)|deconstruct(_keys)?)$/,
  reopens: 'everywhere',
  includesModules: true,
  classIsReceiver: true,
  runsClassBodies: true,
  isOpenToBases: (_method, { isMade }) => !isMade,
  endsBlocks: 'end',
  libraryTypes: {
    Comparable: /^<=>$/,
    Enumerable: /^(each|<=>)$/,
    StandardError: /^(message|full_message|detailed_message|to_s|backtrace|cause|exception)$/,
  },
}
