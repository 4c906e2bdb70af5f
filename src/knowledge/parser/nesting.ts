/** Deeper brackets are nobody's code: generated and minified files stay far below. */
export const DEEPEST = 1000

/** What of a language decides where its brackets count. */
interface Lexing {
  /** `#` begins a comment. */
  readonly hash?: true
  /** `//` and the like begin comments. */
  readonly slash?: true
  /** `'` encloses a text, not only one character. */
  readonly quoted?: true
  /** Texts in backquotes, with code in `${}` or without. */
  readonly backquote?: 'template' | 'raw'
  /** A slash may begin a regular expression, and `<` a tag or type argument. */
  readonly script?: true
  /** Three quotes enclose a text of many lines. */
  readonly triple?: true
}

const SCRIPT: Lexing = { slash: true, quoted: true, backquote: 'template', script: true }
const OTHER: Lexing = { slash: true, triple: true, backquote: 'raw' }
const BY_LANGUAGE: Readonly<Record<string, Lexing>> = {
  typescript: SCRIPT,
  javascript: SCRIPT,
  vue: SCRIPT,
  python: { hash: true, quoted: true, triple: true },
  ruby: { hash: true, quoted: true },
  php: { hash: true, slash: true, quoted: true },
}

/**
 * Reports whether brackets are nested deeper than a parser is given, in one pass over the text. It errs upwards: an
 * opening bracket counts wherever it stands, a closing one only in code, so that texts and comments cannot hide depth.
 */
export function isTooDeep(text: string, language: string, deepest = DEEPEST): boolean {
  // Most files do not have so many brackets at all.
  return hasMany(text, deepest) && deepestIn(text, BY_LANGUAGE[language] ?? OTHER, deepest) > deepest
}

function hasMany(text: string, most: number): boolean {
  let seen = 0
  for (let at = 0; at < text.length; at++) if (isOpening(text.charCodeAt(at)) && ++seen > most) return true
  return false
}

const [TAB, LINE, SPACE, BACKSLASH] = [9, 10, 32, 92]
const [QUOTE, HASH, DOLLAR, APOSTROPHE, STAR, SLASH, SEMICOLON, LESS, EQUALS, GREATER, BACKQUOTE] = [
  34, 35, 36, 39, 42, 47, 59, 60, 61, 62, 96,
]
const [OPEN_ROUND, CLOSE_ROUND, OPEN_SQUARE, CLOSE_SQUARE, OPEN_CURLY, CLOSE_CURLY] = [40, 41, 91, 93, 123, 125]

const isOpening = (code: number): boolean =>
  code === OPEN_ROUND || code === OPEN_SQUARE || code === OPEN_CURLY || code === LESS
const isClosing = (code: number): boolean => code === CLOSE_ROUND || code === CLOSE_SQUARE || code === CLOSE_CURLY

function deepestIn(text: string, lexing: Lexing, enough: number): number {
  /** For each open bracket the tags and type arguments that are open in it. */
  const angles = [0]
  /** Those of them where a tag is being written. */
  const inTag = new Set<number>()
  /** Depths whose bracket ends code in a template. */
  const templates: number[] = []
  let [depth, deepest, at] = [0, 0, 0]
  /** The last sign of code, which tells a regular expression from a division. */
  let before = 0

  while (at < text.length && deepest <= enough) {
    const code = text.charCodeAt(at)
    if (code === SPACE || code === LINE || code === TAB) at++
    else if (code === HASH && lexing.hash) skip(lineEnd(at))
    else if (code === SLASH && lexing.slash && text.charCodeAt(at + 1) === SLASH) skip(lineEnd(at))
    else if (code === SLASH && lexing.slash && text.charCodeAt(at + 1) === STAR) skip(after('*/', at + 2))
    else if (code === SLASH && lexing.script && mayBeginPattern()) skip(patternEnd(at))
    else if (isThree(code)) skip(after(text.slice(at, at + 3), at + 3))
    else if (code === QUOTE || (code === APOSTROPHE && lexing.quoted)) skip(textEnd(at, code))
    else if (code === APOSTROPHE) at = characterEnd(at)
    else if (code === BACKQUOTE && lexing.backquote === 'raw') skip(after('`', at + 1))
    else if (code === BACKQUOTE && lexing.backquote === 'template') template(at + 1)
    else {
      sign(code)
      before = code
      at++
    }
  }
  return deepest

  function sign(code: number): void {
    if (code === LESS && lexing.script) less(text.charCodeAt(at + 1))
    else if (code === GREATER && lexing.script) greater()
    else if (code === LESS || code === GREATER) return
    else if (isOpening(code)) open()
    else if (code === CLOSE_CURLY && templates.at(-1) === depth) {
      templates.pop()
      close()
      template(at + 1)
      at--
    } else if (isClosing(code)) close()
    else if (code === SEMICOLON) {
      depth -= angles.at(-1) ?? 0
      angles[angles.length - 1] = 0
    }
  }

  /** `<a>` is closed by `</a>` or `/>`, `A<b>` by `>`. */
  function less(next: number): void {
    const isEnd = next === SLASH
    if (!isEnd && !isName(next)) return
    angle(isEnd ? -1 : 1)
    if (isEnd || !isName(before)) inTag.add(angles.length)
  }

  function greater(): void {
    if (before === EQUALS) return
    const isTag = inTag.delete(angles.length)
    if (!isTag || before === SLASH) angle(-1)
  }

  function open(): void {
    angles.push(0)
    deepest = Math.max(deepest, ++depth)
  }

  function close(): void {
    if (angles.length === 1) return
    inTag.delete(angles.length)
    depth -= 1 + (angles.pop() ?? 0)
  }

  function angle(by: 1 | -1): void {
    const now = (angles.at(-1) ?? 0) + by
    if (now < 0) return
    angles[angles.length - 1] = now
    depth += by
    deepest = Math.max(deepest, depth)
  }

  /** Passes over a text or comment; brackets that it opens and does not close count, should it be code after all. */
  function skip(end: number): void {
    let inside = 0
    for (let each = at; each < end; each++) {
      const code = text.charCodeAt(each)
      if (isOpening(code) && code !== LESS) deepest = Math.max(deepest, depth + ++inside)
      else if (isClosing(code)) inside = Math.max(0, inside - 1)
    }
    for (; inside > 0; inside--) open()
    before = QUOTE
    at = end
  }

  /** From a place in a template to its end, or to the code in it. */
  function template(from: number): void {
    let end = from
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === BACKSLASH) end++
      else if (code === BACKQUOTE) break
      else if (code === DOLLAR && text.charCodeAt(end + 1) === OPEN_CURLY) {
        open()
        templates.push(depth)
        before = OPEN_CURLY
        at = end + 2
        return
      }
    }
    before = QUOTE
    at = end + 1
  }

  function isThree(code: number): boolean {
    const isOne = lexing.triple && (code === QUOTE || (code === APOSTROPHE && lexing.quoted))
    return isOne === true && text.charCodeAt(at + 1) === code && text.charCodeAt(at + 2) === code
  }

  function lineEnd(from: number): number {
    const end = text.indexOf('\n', from)
    return end < 0 ? text.length : end
  }

  function after(mark: string, from: number): number {
    const found = text.indexOf(mark, from)
    return found < 0 ? text.length : found + mark.length
  }

  /** A text on one line; where it is not closed there, the quote was none. */
  function textEnd(from: number, quote: number): number {
    for (let end = from + 1; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === BACKSLASH) end++
      else if (code === quote) return end + 1
      else if (code === LINE) return from + 1
    }
    return from + 1
  }

  /** `'x'`, but neither `'lifetime` nor `1'000`. */
  function characterEnd(from: number): number {
    const end = text.charCodeAt(from + 1) === BACKSLASH ? text.indexOf("'", from + 3) : from + 2
    return end > from && end - from < 12 && text.charCodeAt(end) === APOSTROPHE ? end + 1 : from + 1
  }

  function mayBeginPattern(): boolean {
    if (before === CLOSE_ROUND || before === CLOSE_SQUARE || before === CLOSE_CURLY || before === QUOTE) return false
    return (
      !isName(before) ||
      /\b(?:return|typeof|case|in|of|do|else|void|delete|yield|await)\s*$/.test(text.slice(Math.max(0, at - 12), at))
    )
  }

  function patternEnd(from: number): number {
    let isClass = false
    for (let end = from + 1; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === BACKSLASH) end++
      else if (code === LINE) return from + 1
      else if (code === OPEN_SQUARE) isClass = true
      else if (code === CLOSE_SQUARE) isClass = false
      else if (code === SLASH && !isClass) return end + 1
    }
    return from + 1
  }
}

const isName = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95 ||
  code === DOLLAR ||
  code > 127
