/**
 * Returns the first duplicate key of an object in a JSON text; undefined if there is none. JSON parsers differ in which
 * of the two values they keep, so a judged value may not be the one that runs. The text must be valid JSON.
 */
export function duplicateKey(json: string): string | undefined {
  /** The keys so far of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = []
  let isKey = false
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (char === '"') {
      const end = stringEnd(json, at)
      const keys = isKey ? open.at(-1) : undefined
      if (keys) {
        const key = keyOf(json.slice(at, end + 1))
        if (keys.has(key)) return key
        keys.add(key)
        isKey = false
      }
      at = end
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined)
      isKey = char === '{'
    } else if (char === '}' || char === ']') open.pop()
    else if (char === ',') isKey = open.at(-1) !== undefined
  }
  return undefined
}

/** Returns the index of the closing quote of the string that starts here. A text may be megabytes long. */
function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let slashes = 0
    while (json[end - 1 - slashes] === '\\') slashes++
    if (end < 0 || slashes % 2 === 0) return end < 0 ? json.length : end
  }
}

const keyOf = (literal: string): string => (literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1))

interface ParsedOnce {
  readonly value?: unknown
  readonly problem?: string
  /** The duplicate key, if that is the problem. */
  readonly doubled?: string
}

/** Parses JSON and rejects duplicate keys. The problem is worded to follow the name of the text. */
export function parseOnce(json: string): ParsedOnce {
  try {
    const value: unknown = JSON.parse(json)
    const key = duplicateKey(json)
    if (key === undefined) return { value }
    return { doubled: key, problem: `has the key ${JSON.stringify(key)} twice in one object` }
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
