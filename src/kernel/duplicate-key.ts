/**
 * The first key that an object of a JSON text has twice; undefined if none has. Readers of JSON differ in which of
 * the two they take: what somebody else judged may not be what runs. The text must be valid JSON.
 */
export function duplicateKey(json: string): string | undefined {
  /** The keys so far of each object that is open; undefined for a list. */
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

/** Where the string that begins at a quote has its other quote; a text may be megabytes long. */
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
  /** The key, where that is the problem. */
  readonly doubled?: string
}

/** Parses JSON in which no object has a key twice, or says what is wrong with it in words that follow its name. */
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
