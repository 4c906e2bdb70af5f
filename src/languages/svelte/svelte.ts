import { script } from '../javascript/javascript.ts'
import type { Language } from '../language.ts'

export const svelte: Language = {
  ...script,
  name: 'svelte',
  extensions: ['svelte'],
  isComponent: true,
  markupSeesScripts: true,
}
