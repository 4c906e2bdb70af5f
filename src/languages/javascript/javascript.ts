import type { Language, Callable } from '../language.ts'
import { lexing, QUOTED, SLASH_COMMENTS, TEXT } from '../nesting-tokens.ts'
import { scriptFacts } from './import-facts.ts'
import { npm } from './packages.ts'
import { reflection } from './reflection.ts'

/** Methods of scripts that are called only on some classes: the text that must also be in their file. */
const ONLY_WITH: readonly (readonly [name: RegExp, text: RegExp])[] = [
  [/^constructor$/, /(?:)/],
  [/^(next|return|throw)$/, /Iterat(or|able)|Generator|Symbol\.(asyncI|i)terator/],
  [/^(get|set|has|apply|construct|deleteProperty|defineProperty|ownKeys)$/, /\bProxy(Handler)?\b/],
  [/^(render|setup|mounted|updated|_(read|writev?|transform|flush|final|destroy|construct))$/, /\bextends\b/],
]

/** Methods that the language, the browser and common frameworks call on objects passed to them. */
const CALLED_ITSELF =
  /^\[.+\]$|^(toString|toLocaleString|toJSON|valueOf|then|handleEvent|observedAttributes)$|^(connected|disconnected|adopted|connectedMove|attributeChanged|form[A-Z]\w*)Callback$|^component(Did|Will)\w+$|^(shouldComponentUpdate|getSnapshotBeforeUpdate|getDerivedStateFrom(Props|Error))$|^ng(On|Do|After)[A-Z]\w*$/

/** Why a method of a script is called implicitly. */
function whyImplicit({ name, isMember, texts }: Callable): string | undefined {
  const isSo = ONLY_WITH.some(([names, needed]) => names.test(name) && texts.some(text => needed.test(text)))
  return isMember && (isSo || CALLED_ITSELF.test(name))
    ? `The language calls ${name} without its name being written`
    : undefined
}

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
