import { scriptFacts } from '../javascript/import-facts.ts'
import { script } from '../javascript/javascript.ts'
import type { Language } from '../language.ts'
import { server } from './server.ts'

/** Types such as `Record` and `Readonly` have one declaration there, and classes such as `Array` several. */
export const LIBRARY_TYPES = /\/lib\.es5\.d\.ts$/

export const typescript: Language = {
  ...script,
  name: 'typescript',
  title: 'TypeScript',
  isTyped: true,
  extensions: ['ts', 'tsx', 'mts', 'cts'],
  server,
  importFacts: scriptFacts,
  documentation: { 'tsconfig.json': ['typescript'] },
}
