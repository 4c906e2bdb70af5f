/** What a section of documentation is part of; it decides how much a match counts. */
export type SectionKind = 'readme' | 'docs' | 'comment' | 'changelog' | 'page'

/** A file with documentation, relative to the workspace. */
export interface DocumentationFile {
  readonly path: string
  readonly kind: SectionKind
  /** How its sections are told: by headings, comments of declarations, texts in functions, or behind fields. */
  readonly form: 'text' | 'declarations' | 'docstrings' | 'metadata'
}

/** More are not read. */
export const MOST_FILES = 2_000

/** A text of a package, if it documents the package. */
export function textFile(path: string, name: string): readonly DocumentationFile[] {
  if (!/(\.(md|mdx|markdown|rst|txt)$)|^(readme|changelog|changes|history)$/i.test(name)) return []
  if (/^(licen[cs]e|copying|notice|third.?party|code_of_conduct|contributing|authors|contributors)/i.test(name))
    return []
  return [{ path, kind: kindOf(name), form: 'text' }]
}

const kindOf = (name: string): SectionKind =>
  /^(changelog|changes|history|releases?|news)\b/i.test(name) ? 'changelog' : /^readme/i.test(name) ? 'readme' : 'docs'
