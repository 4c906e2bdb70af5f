import type { Language } from '../language.ts'
import { lexing, QUOTED, SLASH_COMMENTS, TEXT } from '../nesting-tokens.ts'
import { CALLED_ITSELF, whyImplicit } from './implicit-calls.ts'
import { scriptFacts } from './import-facts.ts'
import { npm } from './packages.ts'
import { reflection } from './reflection.ts'

const { raw } = String
const WORD = raw`[\w$\u0080-\uffff]`
/** A slash starts a regular expression if no value precedes it. */
const BEHIND_KEYWORD = raw`(?<=\b(?:return|typeof|case|in|of|do|else|void|delete|yield|await)\s{0,9})`
const BEHIND_NO_VALUE = raw`(?<!(?:${WORD}|[)\]}"'${'`'}])\s{0,20})`
const PATTERN = raw`(?:${BEHIND_KEYWORD}|${BEHIND_NO_VALUE})\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/`

/** What holds for every language that the script parser reads. */
export const script = {
  family: 'javascript',
  parser: 'script',
  constructorName: 'constructor',
  needsReceivers: true,
  nesting: lexing(SLASH_COMMENTS, PATTERN, TEXT, QUOTED, raw`[${'`'};>]|=>|\/>|<\/|<(?=${WORD})`),
  reserved:
    'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield',
  reflection,
  calledImplicitly: CALLED_ITSELF,
  whyImplicit,
  documentId: extension =>
    /^[jt]sx$/.test(extension) ? `${extension.startsWith('j') ? 'java' : 'type'}scriptreact` : undefined,
} as const satisfies Partial<Language>

export const javascript: Language = {
  ...script,
  name: 'javascript',
  libraryFrames: /node_modules|^node:|^internal\//,
  title: 'JavaScript',
  extensions: ['js', 'jsx', 'mjs', 'cjs'],
  importFacts: scriptFacts,
  packages: npm,
  documentation: { 'package.json': ['node', 'javascript'] },
}
