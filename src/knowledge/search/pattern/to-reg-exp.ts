import { intersect, rangesOf, type CodePoints } from './code-points.ts'
import type { Look, Syntax } from './syntax.ts'
import { word } from './unicode.ts'
import { AFTER_WORD } from './utf8-units.ts'

/** The texts an expression is for: ASCII without carriage returns, ASCII, or any. */
export type Texts = 'plain' | 'ascii' | 'any'

/** The expression sees bytes that are not UTF-8 as surrogates, which no set holds. */
const INVALID = '\\ud800-\\udfff'
/** The same for lookbehind. */
const INVALID_BEHIND = '\\ud800-\\uddff\\ude02-\\udfff'
const ASCII: CodePoints = [0, 0x7f]

/** Compiles the expression for JavaScript's engine, to find its next match in such a text. */
export function toRegExp(syntax: Syntax, texts: Texts): RegExp {
  return new RegExp(sourceOf(syntax, texts), { plain: 'gm', ascii: 'g', any: 'gu' }[texts])
}

function sourceOf(syntax: Syntax, texts: Texts): string {
  switch (syntax.kind) {
    case 'set':
      return setSource(syntax.set, texts)
    case 'look':
      return lookSource(syntax.look, texts)
    case 'concat':
      return syntax.parts
        .map(part => (part.kind === 'choice' ? groupSource(part, texts) : sourceOf(part, texts)))
        .join('')
    case 'choice':
      return syntax.parts.map(part => sourceOf(part, texts)).join('|')
    case 'repeat': {
      const { part, min, max, lazy } = syntax
      const source = part.kind === 'set' ? sourceOf(part, texts) : groupSource(part, texts)
      return `${source}${bounds(min, max)}${lazy ? '?' : ''}`
    }
  }
}

const groupSource = (syntax: Syntax, texts: Texts): string => `(?:${sourceOf(syntax, texts)})`

function bounds(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

function setSource(set: CodePoints, texts: Texts): string {
  const inText = texts === 'any' ? set : intersect(set, ASCII)
  return inText.length === 2 && inText[0] === inText[1] ? escapeCode(inText[0] ?? 0) : `[${inside(inText)}]`
}

const inside = (set: CodePoints): string =>
  rangesOf(set)
    .map(([first, last]) => (first === last ? escapeCode(first) : `${escapeCode(first)}-${escapeCode(last)}`))
    .join('')

function escapeCode(code: number): string {
  if (code > 0xffff) return `\\u{${code.toString(16)}}`
  if (/\w/.test(String.fromCharCode(code))) return String.fromCharCode(code)
  return `\\u${code.toString(16).padStart(4, '0')}`
}

function lookSource(look: Look, texts: Texts): string {
  const behind = texts === 'any' ? `${inside(word())}${AFTER_WORD}` : '\\w'
  const ahead = texts === 'any' ? inside(word()) : '\\w'
  // Next to bytes that are not text, neither a half boundary nor a non-boundary matches.
  const outside = texts === 'any' ? { behind: behind + INVALID_BEHIND, ahead: ahead + INVALID } : { behind, ahead }
  switch (look) {
    case 'line-start':
      return texts === 'plain' ? '^' : '(?<![^\\n\\r])(?!(?<=\\r)\\n)'
    case 'line-end':
      return texts === 'plain' ? '$' : '(?:(?=\\r)|(?<!\\r)(?=\\n)|(?![^]))'
    case 'word':
      return texts === 'any' ? `(?:(?<=[${behind}])(?![${ahead}])|(?<![${behind}])(?=[${ahead}]))` : '\\b'
    case 'not-word':
      return texts === 'any'
        ? `(?:(?<=[${behind}])(?=[${ahead}])|(?<![${outside.behind}])(?![${outside.ahead}]))`
        : '\\B'
    case 'word-start':
      return `(?<![${behind}])(?=[${ahead}])`
    case 'word-end':
      return `(?<=[${behind}])(?![${ahead}])`
    case 'word-start-half':
      return `(?<![${outside.behind}])`
    case 'word-end-half':
      return `(?![${outside.ahead}])`
    case 'ascii-word':
      return '\\b'
    case 'ascii-word-start':
      return '\\b(?=\\w)'
    case 'ascii-word-end':
      return '\\b(?<=\\w)'
  }
}
