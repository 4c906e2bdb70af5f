import { ToolError } from '../../kernel/error.ts'

/** Stands for the quotes that begin and end JSON strings. JSON text never holds it raw, and no pattern can spell it. */
export const QUOTE = '\u0001'
const MAX_PATTERN = 1_000

/** Marks the quotes that delimit strings in a JSON text, to distinguish them from those inside. */
export function markQuotes(json: string): string {
  return json.replaceAll(/\\.|"/gs, found => (found === '"' ? QUOTE : found))
}

/**
 * Rewrites an approval pattern so that nothing in it can match over the end of a string: `.`, `\S` and negated classes
 * do not match a delimiting quote, a plain `"` matches only that. Refuses any syntax that would make a rule mean more
 * than it says.
 */
export function safePattern(pattern: string): string {
  if (typeof pattern !== 'string' || pattern === '') throw patternRefusal(String(pattern), 'it is empty')
  if (pattern.length > MAX_PATTERN) throw patternRefusal(pattern, `it is longer than ${MAX_PATTERN} characters`)
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(pattern)) throw patternRefusal(pattern, 'it holds a control character')
  const anchoredStart = pattern.startsWith('^')
  const anchoredEnd = endsAnchored(pattern)
  const body = pattern.slice(anchoredStart ? 1 : 0, anchoredEnd ? -1 : undefined)
  if (body === '') throw patternRefusal(pattern, 'it is an anchor only')
  return rewrite(pattern, body, anchoredStart || anchoredEnd)
}

/** Reports whether a pattern is anchored at both ends. */
export const isAnchored = (pattern: string): boolean => pattern.startsWith('^') && endsAnchored(pattern)

const endsAnchored = (pattern: string): boolean => pattern.endsWith('$') && !/(^|[^\\])(\\\\)*\\\$$/.test(pattern)

function rewrite(pattern: string, body: string, anchored: boolean): string {
  let out = ''
  let depth = 0
  let branchIsEmpty = true
  let at = 0
  while (at < body.length) {
    const char = body.charAt(at)
    if (char === '|' || char === ')') {
      if (branchIsEmpty) throw patternRefusal(pattern, 'it has an empty branch or group')
      if (char === '|' && depth === 0 && anchored)
        throw patternRefusal(pattern, 'its anchors bind to one branch only', 'put the branches in a group: ^(?:a|b)$')
      if (char === ')' && --depth < 0) throw patternRefusal(pattern, "')' has no '(' before it")
      branchIsEmpty = char === '|'
      out += char
      at++
      continue
    }
    if (char === '(') {
      const open = groupOpening(pattern, body, at)
      out += '(?:'
      at += open.length
      depth++
      branchIsEmpty = true
      continue
    }
    const [piece, end] = nextPiece(pattern, body, at)
    out += piece
    branchIsEmpty = false
    at = end
  }
  if (branchIsEmpty) throw patternRefusal(pattern, 'it has an empty branch or group')
  if (depth > 0) throw patternRefusal(pattern, "'(' is not closed")
  return out
}

function groupOpening(pattern: string, body: string, at: number): string {
  if (body.charAt(at + 1) !== '?') return '('
  const [open] = /^\(\?(?::|P?<[A-Za-z]\w*>)/.exec(body.slice(at)) ?? []
  if (open === undefined)
    throw patternRefusal(pattern, 'inline flags and look-around are not supported', 'use plain groups: (?:a|b)')
  return open
}

function nextPiece(pattern: string, body: string, at: number): readonly [string, number] {
  const char = body.charAt(at)
  if (char === '^' || char === '$')
    throw patternRefusal(pattern, `'${char}' stands in the middle`, 'a rule always matches the whole of the parameters')
  if (char === '.') return [`[^\\n${QUOTE}]`, at + 1]
  if (char === '"') return [QUOTE, at + 1]
  if (char === '[') return classPiece(pattern, body, at)
  if (char !== '\\') return [char, at + 1]
  return escapePiece(pattern, body, at)
}

function escapePiece(pattern: string, body: string, at: number): readonly [string, number] {
  const next = body.charAt(at + 1)
  if (next === '') throw patternRefusal(pattern, "it ends in a lone '\\'")
  if (next === '\\') return backslashPiece(body, at)
  if (next === '"') return [QUOTE, at + 2]
  if (next === 'S' || next === 'W' || next === 'D') return [`[^\\${next.toLowerCase()}${QUOTE}]`, at + 2]
  if (/[A-Za-z0-9]/.test(next) && !'swdbBnrt'.includes(next)) throw patternRefusal(pattern, `'\\${next}' is not taken`)
  return [`\\${next}`, at + 2]
}

/**
 * A literal backslash is half of a JSON escape. `\\.` is how the rule is written if backslashes are doubled, and means
 * a dot.
 */
function backslashPiece(body: string, at: number): readonly [string, number] {
  if (body.charAt(at + 2) === '.') return ['\\.', at + 3]
  if (body.charAt(at + 2) === '"') return ['\\\\"', at + 3]
  if (body.startsWith('\\"', at + 2)) return ['\\\\"', at + 4]
  if (body.startsWith('\\\\', at + 2)) return ['\\\\\\\\', at + 4]
  return ['\\\\', at + 2]
}

function classPiece(pattern: string, body: string, open: number): readonly [string, number] {
  const isNegated = body.charAt(open + 1) === '^'
  const first = open + (isNegated ? 2 : 1)
  let at = first
  while (at < body.length && (body.charAt(at) !== ']' || at === first)) {
    if (body.startsWith('[:', at)) throw patternRefusal(pattern, "'[:…:]' is not taken")
    const next = body.charAt(at + 1)
    const isOpenEnded = /[A-Za-z0-9]/.test(next) && !(isNegated ? 'swdnrtSWD' : 'swdnrt').includes(next)
    if (body.charAt(at) === '\\' && isOpenEnded)
      throw patternRefusal(
        pattern,
        `'\\${next}' inside [ ] is not taken`,
        'to let anything through inside a string write [^"]*',
      )
    at += body.charAt(at) === '\\' ? 2 : 1
  }
  if (at >= body.length) throw patternRefusal(pattern, "'[' is not closed")
  if (!isNegated) return [body.slice(open, at + 1), at + 1]
  // A leading ']' or '-' is literal only as long as nothing precedes it.
  return [`[^${QUOTE}${body.slice(first, at).replace(/^[\]-]/, '\\$&')}]`, at + 1]
}

export const patternRefusal = (
  pattern: string,
  what: string,
  hint = 'write a pattern for the whole parameters, such as ^{"path":"src/[^"]*"}$',
): ToolError =>
  new ToolError('invalid_input', `Approval pattern '${pattern.slice(0, 120)}' is refused: ${what}`, { hint })
