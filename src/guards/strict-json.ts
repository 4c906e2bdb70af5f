import { ToolError } from '../kernel/error.ts'

/** A value with the places of its parts in the text. */
interface ParsedJson {
  readonly value: unknown
  /** Returns `line:column` of the key or item at this path, or of the nearest one around it. */
  at(path: readonly PropertyKey[]): string
}

const MAX_DEPTH = 100

/** Parses JSON strictly: a duplicate key is an error too, and every error names source, line and column. */
export function parseStrictJson(text: string, source: string): ParsedJson {
  const places = new Map<string, number>()
  let at = text.startsWith('\uFEFF') ? 1 : 0

  const placeOf = (offset: number): string => {
    const before = text.slice(0, offset).split('\n')
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
  }
  const fail = (what: string, offset = at): ToolError =>
    new ToolError('invalid_input', `${source}:${placeOf(offset)}: ${what}`, {
      hint: `Fix ${source}; it must be plain JSON`,
    })
  const skip = (): void => {
    while (' \t\r\n'.includes(text.charAt(at) || 'x')) at++
  }
  const foundText = (): string => (at < text.length ? `'${text.charAt(at)}'` : 'the end of the file')
  const expectChar = (char: string, after: string): void => {
    skip()
    if (text.charAt(at) !== char) throw fail(`expected '${char}' ${after}, found ${foundText()}`)
    at++
  }
  const token = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }

  const string = (): string => {
    const literal = token(STRING)
    if (literal === undefined)
      throw fail('this string is not closed, or holds a raw control character or a wrong escape')
    at += literal.length
    return JSON.parse(literal)
  }

  const object = (path: readonly PropertyKey[]): unknown => {
    const entries = new Map<string, unknown>()
    at++
    skip()
    if (text.charAt(at) === '}') at++
    else
      do {
        skip()
        const start = at
        if (text.charAt(at) !== '"') throw fail(`expected a key in double quotes, found ${foundText()}`)
        const key = string()
        if (entries.has(key)) throw fail(`the key '${key}' is given twice`, start)
        places.set(keyOf([...path, key]), start)
        expectChar(':', `after the key '${key}'`)
        entries.set(key, value([...path, key]))
      } while (goesOn('}'))
    return Object.fromEntries(entries)
  }

  const array = (path: readonly PropertyKey[]): unknown => {
    const items: unknown[] = []
    at++
    skip()
    if (text.charAt(at) === ']') at++
    else
      do {
        skip()
        places.set(keyOf([...path, items.length]), at)
        items.push(value([...path, items.length]))
      } while (goesOn(']'))
    return items
  }

  const goesOn = (end: string): boolean => {
    skip()
    const char = text.charAt(at)
    if (char !== ',' && char !== end) throw fail(`expected ',' or '${end}', found ${foundText()}`)
    at++
    return char === ','
  }

  const value = (path: readonly PropertyKey[]): unknown => {
    if (path.length > MAX_DEPTH) throw fail(`it is nested deeper than ${MAX_DEPTH} levels`)
    skip()
    const char = text.charAt(at)
    if (char === '{') return object(path)
    if (char === '[') return array(path)
    if (char === '"') return string()
    const plain = token(PLAIN)
    if (plain === undefined) throw fail(`expected a value, found ${foundText()}`)
    at += plain.length
    return JSON.parse(plain)
  }

  const whole = value([])
  skip()
  if (at < text.length) throw fail(`expected the end of the file, found ${foundText()}`)
  const nearest = (path: readonly PropertyKey[]): number =>
    places.get(keyOf(path)) ?? (path.length > 0 ? nearest(path.slice(0, -1)) : 0)
  return { value: whole, at: path => placeOf(nearest(path)) }
}

// oxlint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const PLAIN = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String))
