/** Groups languages that call each other's code by name. */
export function familyOf(language: string): string {
  if (language === 'java' || language === 'kotlin') return 'jvm'
  if (language === 'c' || language === 'cpp') return 'c'
  return isScript(language) ? 'javascript' : language
}

const SCRIPTS = new Set(['typescript', 'javascript', 'vue', 'svelte'])

/** Languages whose files see each other only through path imports. */
export const isScript = (language: string): boolean => SCRIPTS.has(language)

/** Reports whether code in a class calls its members without a receiver. */
export const seesMembers = (language: string): boolean =>
  !isScript(language) && !/^(python|go|rust|php)$/.test(language)

/** Reports whether functions of the same name and scope differ by their parameters. */
export const hasOverloads = (language: string): boolean => /^(java|kotlin|csharp|cpp|swift)$/.test(language)
