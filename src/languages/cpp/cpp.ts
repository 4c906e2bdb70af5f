import { C_WORDS } from '../c/c.ts'
import { whyImplicit } from '../c/implicit-calls.ts'
import { includeFacts } from '../c/import-facts.ts'
import { includedBy } from '../c/included-files.ts'
import type { Language } from '../language.ts'

const CALLED = /^operator\b|^~|^(begin|end)$/

export const cpp: Language = {
  name: 'cpp',
  title: 'C++',
  extensions: ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  family: 'c',
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).cpp,
  documentation: { 'CMakeLists.txt': ['cpp'] },
  hasOverloads: true,
  hasTemplates: true,
  overloadsAcross: /\.(h|hh|hpp|hxx)$/,
  calledImplicitly: CALLED,
  whyImplicit: whyImplicit(CALLED),
  hasMacros: true,
  importFacts: includeFacts,
  importedFiles: includedBy,
  conversions: /^(character|number|truth) (character|number|truth)$|^chars truth$|^number chars$/,
  hidesByName: true,
  staticsSeeMembers: true,
  hidesUnexported: true,
  hasHeaders: true,
  headers: /\.(hh|hpp|hxx)$/i,
  isOpenToBases: ({ name, signature }, { isMade }) =>
    !isMade && !/\bstatic\b|^operator\b|^~/.test(`${name} ${signature}`),
  libraryTypes: {
    exception: /^what$/,
    runtime_error: /^what$/,
    logic_error: /^what$/,
    invalid_argument: /^what$/,
    out_of_range: /^what$/,
    enable_shared_from_this: /^$/,
    true_type: /^$/,
    false_type: /^$/,
  },
  reserved: `${C_WORDS} bool catch class delete explicit false friend mutable namespace new nullptr operator private protected public template this throw true try typename using virtual`,
  constructsWithoutCall: true,
  indentation: '    ',
}
