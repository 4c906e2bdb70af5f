/** Reports whether a sed script certainly runs, reads and writes nothing. An unknown command is not harmless. */
export function isHarmlessSed(script: string): boolean {
  let at = 0
  while (at < script.length) {
    const next = command(script, at)
    if (next === undefined) return false
    at = next
  }
  return true
}

const ADDRESS = /(?:\d+(?:~\d+)?|\$)/y
const SPACE = /[ \t]*/y

/** Returns the place after one command; undefined if it is not understood. */
function command(script: string, from: number): number | undefined {
  let at = skip(/[ \t\n;]*/y, script, from)
  if (at >= script.length) return at
  const first = address(script, at)
  if (first === undefined) return undefined
  at = skip(SPACE, script, first)
  if (first > from && script[at] === ',') {
    const second = secondAddress(script, skip(SPACE, script, at + 1))
    if (second === undefined) return undefined
    at = skip(SPACE, script, second)
  }
  at = skip(/[ \t!]*/y, script, at)
  const name = script[at] ?? ''
  if (name === '#') return lineEnd(script, at)
  if (name === '{') return at + 1
  if (name === 's') return substitution(script, at + 1)
  if (name === 'y') return endOfCommand(script, pattern(script, pattern(script, at + 1), script[at + 1]))
  if (/[aic]/.test(name)) return textEnd(script, at + 1)
  if (/[btT:]/.test(name)) return endOfCommand(script, skip(/[ \t]*[\w-]*/y, script, at + 1))
  if (/[qQlL]/.test(name)) return endOfCommand(script, skip(/[ \t]*\d*/y, script, at + 1))
  return name !== '' && 'pPdDnNgGhHxz=F}'.includes(name) ? endOfCommand(script, at + 1) : undefined
}

const skip = (what: RegExp, script: string, at: number): number => {
  what.lastIndex = at
  return at + (what.exec(script)?.[0].length ?? 0)
}

/** Ends a command at its line end, at a semicolon or before a closing brace. */
function endOfCommand(script: string, at: number | undefined): number | undefined {
  if (at === undefined) return undefined
  const end = skip(SPACE, script, at)
  return end >= script.length || ';\n}#'.includes(script[end] ?? '') ? end : undefined
}

function address(script: string, at: number): number | undefined {
  const char = script[at] ?? ''
  if (char === '/') return skipFlags(script, pattern(script, at))
  if (char === '\\') return skipFlags(script, pattern(script, at + 1))
  return skip(ADDRESS, script, at)
}

function secondAddress(script: string, at: number): number | undefined {
  const relative = skip(/[+~]\d+/y, script, at)
  if (relative > at) return relative
  const end = address(script, at)
  return end === at ? undefined : end
}

const skipFlags = (script: string, at: number | undefined): number | undefined =>
  at === undefined ? undefined : skip(/[IM]*/y, script, at)

/**
 * Returns the place after the delimiter that closes the pattern, or the replacement if the delimiter is `given`.
 * Versions of sed differ on whether a delimiter between square brackets counts, so there must be none.
 */
function pattern(script: string, from: number | undefined, given?: string): number | undefined {
  if (from === undefined) return undefined
  const delimiter = given ?? script[from] ?? ''
  if (delimiter === '' || /[\s\\\w]/.test(delimiter)) return undefined
  for (let at = given === undefined ? from + 1 : from; at < script.length; at++) {
    const char = script[at]
    if (char === '\n') return undefined
    if (char === '\\') at++
    else if (char === delimiter) return at + 1
    else if (char === '[' && given === undefined) {
      const close = script.indexOf(']', script[at + 1] === '^' ? at + 3 : at + 2)
      if (close < 0 || script.slice(at, close).includes(delimiter)) return undefined
    }
  }
  return undefined
}

function substitution(script: string, at: number): number | undefined {
  const end = pattern(script, pattern(script, at), script[at])
  return end === undefined ? undefined : endOfCommand(script, skip(/[gpiIMm0-9]*/y, script, end))
}

const lineEnd = (script: string, at: number): number => {
  const end = script.indexOf('\n', at)
  return end < 0 ? script.length : end
}

/** Text continues to the end of the line, or of the next one: `a\`. A longer one is not followed. */
function textEnd(script: string, from: number): number | undefined {
  const at = skip(/[ \t]*\\\n/y, script, from)
  const end = lineEnd(script, at)
  return script
    .slice(at, end)
    .replace(/^[ \t]*\\/, '')
    .includes('\\')
    ? undefined
    : end
}
