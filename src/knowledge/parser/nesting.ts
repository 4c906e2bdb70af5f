import { languageNamed } from '../../languages/registry.ts'
import { lexing, SLASH_COMMENTS, TEXT, TRIPLE } from '../../languages/nesting-tokens.ts'

/** No real code nests deeper: generated and minified files stay far below. */
export const DEEPEST = 1000

const { raw } = String
/** `'x'`, but neither `'lifetime` nor `1'000`. */
const CHARACTER = raw`'(?:\\.[^'\n]{0,9}|[^'\\\n])'`
const WORD = raw`[\w$\u0080-\uffff]`
const OTHER = lexing(SLASH_COMMENTS, TRIPLE, TEXT, CHARACTER, '`[^`]*(?:`|$)')

/**
 * Reports whether brackets are nested deeper than a parser can take, in one pass. It errs upwards: an opening bracket
 * counts anywhere, a closing one only in code, so that texts and comments cannot hide depth.
 */
export function isTooDeep(text: string, language: string, deepest = DEEPEST): boolean {
  // Most files have fewer brackets.
  return hasMany(text, deepest) && deepestIn(text, languageNamed(language).nesting ?? OTHER, deepest) > deepest
}

/** Parses a text, unless it is nested too deeply for its parser or for code that walks the result. */
export async function boundedNesting<T>(
  text: string,
  language: string,
  read: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly failed: 'nesting' }> {
  if (isTooDeep(text, language)) return { failed: 'nesting' }
  try {
    return { value: await read() }
  } catch (error) {
    if (error instanceof RangeError) return { failed: 'nesting' }
    throw error
  }
}

function hasMany(text: string, most: number): boolean {
  let count = 0
  for (const _ of text.matchAll(/[([{<]/g)) if (++count > most) return true
  return false
}

const BEHIND_NAME = new RegExp(raw`${WORD}\s*$`)
/** The rest of a template, up to its end or to embedded code. */
const TEMPLATE = /(?:\\[^]|\$(?!\{)|[^`\\$]+)*(?:`|\$\{|$)/y

function deepestIn(text: string, token: RegExp, enough: number): number {
  /** For each open bracket, the number of tags and type arguments open in it. */
  const angles = [0]
  /** Those in which a tag is being written. */
  const inTag = new Set<number>()
  /** Depths whose bracket ends code in a template. */
  const templates: number[] = []
  let [depth, deepest] = [0, 0]
  token.lastIndex = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    sign(match[0], match.index)
    if (deepest > enough) break
  }
  return deepest

  /** `<a>` is closed by `</a>` or `/>`, `A<b>` by `>`. */
  function sign(written: string, at: number): void {
    switch (written) {
      case '(':
      case '[':
      case '{':
        return open()
      case ')':
      case ']':
        return close()
      case '}':
        close()
        if (templates.at(-1) !== depth + 1) return
        templates.pop()
        return template()
      case '`':
        return template()
      case ';':
        depth -= angles.at(-1) ?? 0
        angles[angles.length - 1] = 0
        return
      case '<':
        angle(1)
        if (!BEHIND_NAME.test(text.slice(Math.max(0, at - 20), at))) inTag.add(angles.length)
        return
      case '</':
        angle(-1)
        inTag.add(angles.length)
        return
      case '>':
      case '/>':
        if (!inTag.delete(angles.length) || written === '/>') angle(-1)
        return
      default:
        if (token !== OTHER || !written.startsWith("'")) skip(written)
    }
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

  /** Skips a text or comment. Unclosed brackets in it count, in case it is code. */
  function skip(passed: string): void {
    let inside = 0
    for (const [bracket] of passed.matchAll(/[()[\]{}]/g)) {
      if ('([{'.includes(bracket)) deepest = Math.max(deepest, depth + ++inside)
      else inside = Math.max(0, inside - 1)
    }
    for (; inside > 0; inside--) open()
  }

  function template(): void {
    TEMPLATE.lastIndex = token.lastIndex
    const [templateText = ''] = TEMPLATE.exec(text) ?? []
    token.lastIndex += templateText.length
    if (!templateText.endsWith('${')) return
    open()
    templates.push(depth)
  }
}
