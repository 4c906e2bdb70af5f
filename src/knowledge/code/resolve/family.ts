/** Languages that call each other's code by name. */
export function familyOf(language: string): string {
  if (language === 'java' || language === 'kotlin') return 'jvm'
  if (language === 'c' || language === 'cpp') return 'c'
  return isScript(language) ? 'javascript' : language
}

const SCRIPTS = new Set(['typescript', 'javascript', 'vue', 'svelte'])

/** Languages whose files see each other by imports of paths alone. */
export const isScript = (language: string): boolean => SCRIPTS.has(language)

/** Reports whether members of a class are called in it without naming what they are called on. */
export const seesMembers = (language: string): boolean =>
  !isScript(language) && !/^(python|go|rust|php)$/.test(language)

/** Reports whether functions of one scope and name are told apart by what they take. */
export const hasOverloads = (language: string): boolean => /^(java|kotlin|csharp|cpp|swift)$/.test(language)
