/** One value of a configuration of git. */
export interface GitSetting {
  /** Section and name in lower case, without the subsection: `filter.clean`. */
  readonly key: string
  /** With the subsection, as a person writes it: `filter.lfs.clean`. */
  readonly name: string
  readonly value: string
}

const SECTION = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/
const NAME = /^([a-z][a-z0-9-]*)[ \t]*(=?)/i
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/**
 * Reads a configuration of git. Leaves out what git refuses and reads on, because a place too many does no harm where a
 * place too few would.
 */
export function parseGitConfig(text: string): readonly GitSetting[] {
  const settings: GitSetting[] = []
  let section = ''
  let title = ''
  let rest = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  while (rest !== '') {
    rest = rest.trimStart()
    const head = SECTION.exec(rest)
    if (head) {
      const [whole, words = '', sub] = head
      section = words.split('.', 1)[0]?.toLowerCase() ?? ''
      title = sub === undefined ? words : `${words}.${sub.replaceAll(/\\(.)/g, '$1')}`
      rest = rest.slice(whole.length)
      continue
    }
    const nameMatch = NAME.exec(rest)
    if (nameMatch) {
      const [whole, name = '', sign] = nameMatch
      const { value, end } = sign === '' ? { value: 'true', end: whole.length } : valueAt(rest, whole.length)
      settings.push({ key: `${section}.${name.toLowerCase()}`, name: `${title}.${name}`, value })
      rest = rest.slice(end)
      if (sign !== '') continue
    }
    rest = rest.slice(lineEnd(rest, 0))
  }
  return settings
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

/** Reads a value as git does: quotes and escapes, a backslash that joins lines, comments, blanks at the end. */
function valueAt(text: string, from: number): { readonly value: string; readonly end: number } {
  let value = ''
  let blanks = ''
  let isQuoted = false
  let at = from + (/^[^\S\n]*/.exec(text.slice(from))?.[0].length ?? 0)
  for (; at < text.length && text[at] !== '\n'; at++) {
    const sign = text[at] ?? ''
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '#' || sign === ';')) break
    else if (!isQuoted && /\s/.test(sign)) {
      blanks += sign
      continue
    }
    if (sign === '\\') {
      const next = text[++at] ?? ''
      if (next === '\n') continue
      value += blanks + (ESCAPES[next] ?? next)
    } else value += blanks + (sign === '"' ? '' : sign)
    blanks = ''
  }
  return { value, end: lineEnd(text, at) }
}
