import type { Language } from '../../../index/facts/languages.ts'
import type { OwnImport } from '../file-code.ts'

/** Imports of languages whose calls are not read, by how their lines are written. */
const WRITTEN: Partial<Readonly<Record<Language, RegExp>>> = {
  c: /^[ \t]*#[ \t]*include[ \t]*["<](?<module>[^">]+)[">]/gm,
  cpp: /^[ \t]*#[ \t]*include[ \t]*["<](?<module>[^">]+)[">]/gm,
  ruby: /^[ \t]*require(?:_relative)?[ \t(]+["'](?<module>[^"']+)["']/gm,
  swift:
    /^[ \t]*(?:@\w+[ \t]+)*import[ \t]+(?:(?:class|struct|enum|protocol|func|var|let|typealias)[ \t]+)?(?<module>[\w.]+)/gm,
  php: /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?(?<module>(?:\w+\\)*)(?<name>\w+)(?:[ \t]+as[ \t]+(?<local>\w+))?[ \t]*;/gm,
}

export function writtenImports(language: Language, text: string): readonly OwnImport[] {
  const pattern = WRITTEN[language]
  if (!pattern) return []
  return [...text.matchAll(pattern)].map(({ groups = {}, index }) => {
    const { module = '', name, local } = groups
    const line = text.slice(0, index).split('\n').length
    if (name === undefined) return { module, name: '*', local: '', line }
    return { module: module.replace(/\\$/, ''), name, local: local ?? name, line }
  })
}
