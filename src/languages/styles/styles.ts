import type { Language } from '../language.ts'

/** Languages of styles, which declare nothing. */
export const styles: readonly Language[] = ['css', 'scss', 'sass', 'less'].map(name => ({
  name,
  extensions: [name],
  isStyle: true,
}))
