import type { Language } from '../language.ts'

/** A language that does not exist: recipes with steps, which call each other by name. */
export const brew: Language = {
  name: 'brew',
  extensions: ['brew'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).brew,
}
