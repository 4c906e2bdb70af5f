import type { Section } from '../section-types.ts'

const LONGEST_SIGNATURE = 400
const LONGEST_COMMENT = 6_000
/** Nobody declares anything deeper. */
const DEEPEST = 10

/**
 * Returns the documented declarations of a declaration file: the name with what it is declared in, its signature and
 * its comment. Reads the text alone, without a parser: what it does not understand it leaves out.
 */
export function docComments(rawSource: string, path: string): readonly Section[] {
  const source = withoutOpenComment(rawSource)
  const sections: Section[] = []
  const containers: { readonly name: string; readonly depth: number }[] = []
  const lineAt = lineCounter(source)
  let depth = 0
  // Comments and strings hold braces that mean nothing.
  for (const token of source.matchAll(TOKENS)) {
    const [text] = token
    const container = token.groups?.['container']
    if (text === '}') {
      depth = Math.max(0, depth - 1)
      while (containers.some(each => each.depth > depth)) containers.pop()
    } else if (text === '{' || /^[a-z]/.test(text)) {
      depth += 1
      if (container !== undefined && containers.length < DEEPEST) containers.push({ name: container, depth })
    } else if (text.startsWith('/**') && text.length > 5) {
      const after = token.index + text.length
      const declaration = declarationIn(source.slice(after, after + 2_000))
      const comment = commentText(text)
      if (declaration && comment !== '')
        sections.push({
          path,
          line: lineAt(token.index),
          heading: [...containers.map(({ name }) => name), declaration.name].join('.'),
          kind: 'comment',
          body: `${declaration.signature}\n${comment}`,
        })
    }
  }
  return sections
}

/** A comment that never ends would be looked for again from every later beginning of one. */
function withoutOpenComment(source: string): string {
  const open = source.indexOf('/*', source.lastIndexOf('*/') + 2)
  return open < 0 ? source : source.slice(0, open)
}

const TOKENS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.){0,2000}'|"(?:[^"\\\n]|\\.){0,2000}"|\b(?:class|interface|namespace|enum|module)\s+(?:(?<container>[A-Za-z_$][\w$.]*)|"[^"\n]*"|'[^'\n]*')[^{};/]{0,500}\{|[{}]/g

const NAMED =
  /^\s*(?:(?:export|declare|default|abstract|static|readonly|public|protected|private|async|get|set|override|const|let|var|function|class|interface|type|enum|namespace)\s+)*(?:\[\s*)?['"]?(?<name>[A-Za-z_$#][\w$.-]*)/

/** Reads the declaration that follows a comment, up to the end of its head. */
function declarationIn(text: string): { readonly name: string; readonly signature: string } | undefined {
  // Another comment, an end, or a tag of the file: nothing is declared here.
  if (/^\s*(?:\/\*\*|[})\]]|import\b|export\s*[{*])/.test(text)) return undefined
  const name = NAMED.exec(text)?.groups?.['name']
  if (name === undefined) return undefined
  const [head = ''] = /^[^;{]*/.exec(text) ?? []
  const lines = head.split(/\n\s*\n|\n\s*\/\*/)[0] ?? ''
  return { name, signature: lines.replace(/\s+/g, ' ').trim().slice(0, LONGEST_SIGNATURE) }
}

const commentText = (comment: string): string =>
  comment
    .slice(3, -2)
    .split('\n')
    .map(line => line.replace(/^\s*\*? ?/, '').slice(0, 1_000))
    .join('\n')
    .trim()
    .slice(0, LONGEST_COMMENT)

/** Counts lines in one pass over places that only grow. */
export function lineCounter(source: string): (index: number) => number {
  let [line, at] = [1, 0]
  return index => {
    for (let next = source.indexOf('\n', at); next >= 0 && next < index; next = source.indexOf('\n', at)) {
      line += 1
      at = next + 1
    }
    return line
  }
}
