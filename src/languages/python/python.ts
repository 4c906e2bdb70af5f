import type { Language } from '../language.ts'
import { HASH_COMMENT, lexing, QUOTED, TEXT, TRIPLE, TRIPLE_QUOTED } from '../nesting-tokens.ts'
import { importFacts } from './import-facts.ts'
import { moduleFiles } from './module-files.ts'
import { sitePackages } from './packages.ts'
import { reflection } from './reflection.ts'
import { server } from './server.ts'

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
