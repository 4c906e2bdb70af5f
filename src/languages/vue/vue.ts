import { script } from '../javascript/javascript.ts'
import type { Language } from '../language.ts'

export const vue: Language = { ...script, name: 'vue', extensions: ['vue'], isComponent: true }
