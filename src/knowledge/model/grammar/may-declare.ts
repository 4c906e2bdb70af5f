const DECLARES =
  /\b(?:class|interface|object|enum|struct|record|trait|protocol|extension|module|namespace|typealias|typedef|type|union|fun|func|fn|def|function|val|var|let|const|static|impl|mod|define|using|alias|concept)\b/
/** A type, or a word that is none, with space behind it. */
const BEHIND_TYPE = /[\w>\]*&]\s+[*&]*(?:\w+::)*$/

/** Whether a word may be what is declared there: behind a word that declares or a type, at the start of a line, or before a type or value. */
export function mayDeclare(text: string, from: number, to: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from)
  if (/^\s*$|[$@]$/.test(before) || DECLARES.test(before) || BEHIND_TYPE.test(before)) return true
  return /^\s*[:=](?!=)/.test(text.slice(to, to + 20))
}
