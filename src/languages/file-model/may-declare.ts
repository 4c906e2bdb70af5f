const DECLARES =
  /\b(?:class|interface|object|enum|struct|record|trait|protocol|extension|module|namespace|typealias|typedef|type|union|fun|func|fn|def|function|val|var|let|const|static|impl|mod|define|using|alias|concept)\b/
/** A type, or any other word, followed by space. */
const BEHIND_TYPE = /[\w>\]*&]\s+[*&]*(?:\w+::)*$/

const LOOKED_BACK = 500

/**
 * Reports whether a word may be declared there: after a declaring keyword or a type, at the start of a line, or before
 * a type or value.
 */
export function mayDeclare(text: string, from: number, to: number): boolean {
  const near = text.slice(Math.max(0, from - LOOKED_BACK), from)
  const line = near.lastIndexOf('\n')
  // Text that begins so far back may be anything: searching all of it for every word would take too long.
  if (line === -1 && from > LOOKED_BACK) return true
  const before = near.slice(line + 1)
  if (/^\s*$|[$@]$/.test(before) || DECLARES.test(before) || BEHIND_TYPE.test(before)) return true
  return /^\s*[:=](?!=)/.test(text.slice(to, to + 20))
}
