import { ToolError } from './error.ts'
import { placeholder } from './placeholder.ts'

/** Returns the variable that holds a secret while a command runs. */
export const secretVariable = (key: string): string => `TOOLWRIGHT_SECRET_${key}`

/**
 * Replaces every `$ENV.NAME` of a shell line by a reference to a variable, quoted so that the value stays one piece of
 * text in any position. Throws `invalid_input` if that is impossible: the value itself never becomes part of the line.
 */
export function referSecrets(line: string): string {
  if (!line.includes('$ENV.')) return line
  return read(line)
}

/** Inserts the values into standard input. This is safe because it is data that only the command sees. */
export const revealText = (text: string, secrets: ReadonlyMap<string, string>): string =>
  text.replace(placeholder(), (whole, key: string) => secrets.get(key) ?? whole)

type Frame = 'code' | 'double'

interface Document {
  readonly end: string
  readonly quoted: boolean
  readonly tabs: boolean
}

function read(line: string): string {
  let out = ''
  let at = 0
  const frames: Frame[] = ['code']
  const documents: Document[] = []
  // The patterns of a case end in brackets that were never opened.
  const isTangled = /\bcase\b/.test(line) && line.includes('$(')
  const copy = (to: number) => {
    out += line.slice(at, to)
    at = to
  }
  while (at < line.length) {
    const inCode = frames.at(-1) === 'code'
    const here = line[at] ?? ''
    const rest = line.slice(at)
    const key = keyAt(line, at)
    if (key !== undefined) {
      if (isTangled) throw keyRefusal(key, 'in a line with both a substitution and a case')
      out += inCode ? `"${reference(key)}"` : reference(key)
      at += '$ENV.'.length + key.length
    } else if (here === '\\') copy(at + 2)
    else if (rest.startsWith('$((')) copy(bare(at, arithmeticEnd(line, at), 'inside arithmetic'))
    else if (rest.startsWith('${')) copy(bare(at, braceEnd(line, at), 'inside ${…}'))
    else if (rest.startsWith('$(')) {
      frames.push('code')
      copy(at + 2)
    } else if (here === '`') copy(bare(at, after(line, at + 1, '`'), 'inside `…`'))
    else if (here === '"') {
      if (inCode) frames.push('double')
      else frames.pop()
      copy(at + 1)
    } else if (!inCode) copy(at + 1)
    else if (rest.startsWith("$'")) single(at + 2, escapedEnd(line, at + 2), "$'")
    else if (here === "'") single(at + 1, after(line, at + 1, "'"), "'")
    else if (here === '#' && /^[\s;&|()]?$/.test(line.charAt(at - 1))) copy(lineEnd(line, at))
    else if (rest.startsWith('<<<')) copy(at + 3)
    else if (rest.startsWith('<<')) {
      const document = documentAt(rest)
      if (document) documents.push(document)
      copy(at + 2)
    } else if (here === '\n') {
      copy(at + 1)
      for (const document of documents.splice(0)) body(document)
    } else {
      if (here === '(') frames.push('code')
      // A lone bracket ends a pattern of case.
      if (here === ')' && frames.length > 1) frames.pop()
      copy(at + 1)
    }
  }
  if (frames.length > 1) throw keyRefusal(keysIn(line)[0] ?? '', 'in a line whose quotes or brackets do not close')
  return out

  /** Skips a part that is passed on unchanged and so may hold no secret. */
  function bare(from: number, to: number, where: string): number {
    const [key] = keysIn(line.slice(from, to))
    if (key !== undefined) throw keyRefusal(key, where)
    return to
  }

  /** Closes single quotes before a reference and opens them again behind it. */
  function single(from: number, to: number, quote: string): void {
    copy(from)
    out += line.slice(from, to).replace(placeholder(), (_, key: string) => `'"${reference(key)}"${quote}`)
    at = to
  }

  function body({ end, quoted, tabs }: Document): void {
    const start = at
    while (at < line.length) {
      const next = lineEnd(line, at)
      const text = line.slice(at, next)
      at = Math.min(next + 1, line.length)
      if ((tabs ? text.replace(/^\t+/, '') : text) === end) break
    }
    const text = line.slice(start, at)
    const [key] = keysIn(text)
    if (key !== undefined && quoted) throw keyRefusal(key, 'inside a here-document that is quoted')
    if (key !== undefined && /`|\$\(/.test(text)) throw keyRefusal(key, 'inside a here-document with substitutions')
    out += text.replace(placeholder(), (_, name: string) => reference(name))
  }
}

function reference(key: string): string {
  if (!/^\w+$/.test(key)) throw keyRefusal(key, 'by a name that no variable can have')
  return `\${${secretVariable(key)}}`
}

function keyAt(line: string, at: number): string | undefined {
  if (!line.startsWith('$ENV.', at)) return undefined
  const pattern = new RegExp(placeholder().source, 'yu')
  pattern.lastIndex = at
  return pattern.exec(line)?.[1]
}

const keysIn = (text: string): string[] => [...text.matchAll(placeholder())].map(([, key = '']) => key)

const lineEnd = (line: string, at: number): number => {
  const end = line.indexOf('\n', at)
  return end < 0 ? line.length : end
}

/** Returns the position after the next such character. */
function after(line: string, at: number, character: string): number {
  for (let to = at; to < line.length; to++) {
    if (line[to] === '\\' && character !== "'") to++
    else if (line[to] === character) return to + 1
  }
  return line.length
}

const escapedEnd = (line: string, at: number): number => {
  for (let to = at; to < line.length; to++) {
    if (line[to] === '\\') to++
    else if (line[to] === "'") return to + 1
  }
  return line.length
}

function braceEnd(line: string, at: number): number {
  let depth = 0
  for (let to = at; to < line.length; to++) {
    if (line[to] === '\\') to++
    else if (line[to] === '{') depth++
    else if (line[to] === '}' && --depth === 0) return to + 1
  }
  return line.length
}

function arithmeticEnd(line: string, at: number): number {
  let depth = 0
  for (let to = at; to < line.length; to++) {
    if (line[to] === '(') depth++
    else if (line[to] === ')' && --depth === 0) return to + 1
  }
  return line.length
}

function documentAt(rest: string): Document | undefined {
  const match = /^<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|(\\?)([^\s;&|<>()'"]+))/.exec(rest)
  if (!match) return undefined
  const [, dash, single, double, escape, plain] = match
  const isQuoted = single !== undefined || double !== undefined || escape !== '' || (plain ?? '').includes('\\')
  return { end: single ?? double ?? (plain ?? '').replaceAll('\\', ''), quoted: isQuoted, tabs: dash === '-' }
}

const keyRefusal = (key: string, where: string): ToolError =>
  new ToolError('invalid_input', `$ENV.${key} cannot stand ${where}`, {
    hint: `Put it into a variable first: TOKEN=$ENV.${key}; then use "$TOKEN"`,
    details: { key },
  })
