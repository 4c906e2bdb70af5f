import type { Language } from '../language.ts'
import { whyImplicit } from './implicit-calls.ts'
import { includeFacts } from './import-facts.ts'
import { includedBy } from './included-files.ts'
import { server } from './server.ts'

export const C_WORDS =
  'auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef union unsigned void volatile while'

/** What marks a header that has the extension of C as one of C++. */
const CPP =
  /^[ \t]*(namespace\s+[\w:]*\s*\{|class\s+\w+[\w\s]*[:{;]|template\s*<|using\s+(namespace\s|\w+\s*=)|(public|private|protected)\s*:)/m

const CALLED = /^operator\b|^~/

export const c: Language = {
  name: 'c',
  extensions: ['c', 'h'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).c,
  detect: (path, text) => (/\.h$/i.test(path) && CPP.test(text) ? 'cpp' : 'c'),
  server,
  calledImplicitly: CALLED,
  whyImplicit: whyImplicit(CALLED),
  hasMacros: true,
  importFacts: includeFacts,
  importedFiles: includedBy,
  hidesUnexported: true,
  hasHeaders: true,
  headers: /\.h$/i,
  reserved: C_WORDS,
  valuesAreConstant: true,
  indentation: '    ',
}
