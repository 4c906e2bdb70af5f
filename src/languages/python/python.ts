import type { Language } from '../language.ts'
import { HASH_COMMENT, lexing, QUOTED, TEXT, TRIPLE, TRIPLE_QUOTED } from '../nesting-tokens.ts'
import { moduleFiles } from './module-files.ts'
import { sitePackages } from './packages.ts'
import { reflection } from './reflection.ts'
import { server } from './server.ts'
import { renamesIn, type ImportFacts, type OtherName } from '../import-facts.ts'

/** Reads the imports of a file by patterns: better one too many than one too few. */
function importFacts(path: string, written: string): ImportFacts {
  const text = written.replaceAll(CONTINUED, ' ').replaceAll(COMMENT, '$1')
  const requests: string[] = []
  const others: OtherName[] = []
  let close = 0
  for (const { 0: head, 1: module = '', index } of text.matchAll(FROM)) {
    requests.push(module)
    // Only names stand between brackets.
    if (index < close) continue
    const start = index + head.length
    const isBracketed = text[start] === '('
    // If none follows one bracket, none follows the next.
    if (isBracketed && close >= 0 && close < start) close = text.indexOf(')', start)
    const names = isBracketed
      ? text.slice(start + 1, Math.max(start + 1, close))
      : (LINE.exec(text.slice(start, start + LONGEST))?.[0] ?? '')
    others.push(...renamesIn(names))
    const joint = module.endsWith('.') ? '' : '.'
    for (const name of namesIn(names)) if (name !== '*') requests.push(`${module}${joint}${name}`)
  }
  const wholes = Array.from(text.matchAll(IMPORT), ([, modules = '']) => namesIn(modules)).flat()
  requests.push(...wholes, ...Array.from(text.matchAll(NAMED), ([, named = '']) => named))
  return { requests, wholes, others, isAmbient: /(?:^|\/)__?builtins__?\.pyi$/.test(path) }
}

const CONTINUED = /\\\r?\n/g
/** After a quote it may be part of a string. */
const COMMENT = /^([^'"#\n]*)#[^\n]*/gm
const FROM = /(?:^|[;:])[ \t]*from\b[ \t]*([.\w]+)[ \t]*\bimport\b[ \t]*/gm
const LINE = /^[^\n#(;]*/
const LONGEST = 10_000
const IMPORT = /(?:^|[;:])[ \t]*import[ \t]+([^\n#;]+)/gm
const NAMED = /\b(?:import_module|patch(?:\.dict)?|setattr)\(\s*['"]([\w.]+)['"]/g

const namesIn = (list: string): string[] =>
  list
    .replaceAll(/#[^\n]*/g, '')
    .split(',')
    .flatMap(each => /^[\s\\]*([.\w*]+)/.exec(each)?.[1] ?? [])

export const python: Language = {
  name: 'python',
  libraryFrames: /site-packages|dist-packages|\/lib\/python|<frozen/,
  extensions: ['py', 'pyi'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).python,
  server,
  packages: sitePackages,
  documentation: { 'pyproject.toml': ['python'], 'requirements.txt': ['python'] },
  nesting: lexing(HASH_COMMENT, TRIPLE, TRIPLE_QUOTED, TEXT, QUOTED),
  constructorName: '__init__',
  inheritsConstructors: true,
  invokedAs: '__call__',
  replacesNamesakes: true,
  calledImplicitly: /^__(?!init__$)\w+__$/,
  readsClasses: true,
  structuralBase: 'Protocol',
  linearizes: true,
  needsReceivers: true,
  passesOnImports: true,
  importsPackages: true,
  findsModulesByFolder: true,
  modulesAreValues: true,
  packageOf: (folders, stem) => (stem === '__init__' ? folders : [...folders, stem]).join('.'),
  runsClassBodies: true,
  classHooks: { head: /\bmetaclass\s*=/, ofBase: '__init_subclass__' },
  namedParameter: /\b(?:def\s+\w+\s*\([^()]*|lambda[^:\n]*)$/,
  ownPath: /\b__file__\b/g,
  importFacts,
  importedFiles: files => moduleFiles(path => files.has(path)),
  reserved:
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield',
  reflection,
  testPrefix: 'test',
  indentation: '    ',
  isIndented: true,
  dotsAreCode: true,
}
