import { once } from './once.ts'

/**
 * Characters that must never reach a terminal or a log line unescaped: controls, bidi and other format characters,
 * surrogates without a partner, private use, unassigned, line separators, spaces that only look like the ordinary one,
 * blanks.
 */
export const invisible = String.raw`\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800`

interface SanitizeOptions {
  /** The most characters to show. A longer text loses its middle and states its size. */
  readonly max?: number
}

/**
 * Returns any text as one line that a terminal only prints. Whatever would move, hide, colour or forge becomes a
 * visible escape.
 */
export const sanitize = (text: string, options: SanitizeOptions = {}): string => cut(visible(text, '\\t'), options.max)

/** The same in quotation marks, which the text cannot end. */
export const quoted = (text: string, options: SanitizeOptions = {}): string =>
  `"${sanitize(text, options).replaceAll('"', String.raw`\"`)}"`

/** A name as it is if it is one plain word, otherwise quoted. */
export const quotedUnlessPlain = (name: string): string => (/^[\w.:@/-]{1,80}$/.test(name) ? name : quoted(name))

/**
 * The same for blocks such as diffs: line feeds stay, tabs show as arrows, every line is inert. The caller prefixes
 * lines.
 */
export const sanitizeBlock = (text: string, options: SanitizeOptions = {}): string =>
  text
    .split('\n')
    .map(line => cut(visible(line, '→   '), options.max))
    .join('\n')

const longestBlank = 40
const mostMarks = 4

const harmless = /^[\x21-\x7e]*(?: {1,40}[\x21-\x7e]+)* {0,40}$/
const odd = String.raw`[${invisible}]|(?<=^|\p{M}{${mostMarks}})\p{M}|[ \u3000]{${longestBlank + 1},}`
/**
 * Built on first use, and not as literals: the tables behind these classes take longer to build than a call takes, and
 * V8 builds those of a literal as soon as it reads the file.
 */
const unit = once(() => new RegExp(odd, 'gu'))
// Whole emoji first: joiners and selectors are part of an emoji, but hide something anywhere else.
const unitOrEmoji = once(() => new RegExp(String.raw`\p{RGI_Emoji}|${odd}`, 'gv'))
const emojiPart = /\u200d|\ufe0f/
const tagCharacter = /[\u{e0000}-\u{e007f}]/u
const emoji = once(() => new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v'))

const visible = (text: string, tab: string): string =>
  harmless.test(text) ? text : text.replace(emojiPart.test(text) ? unitOrEmoji() : unit(), found => show(found, tab))

const show = (found: string, tab: string): string => {
  if (found === '\t') return tab
  if (found.length > longestBlank) return `␠×${found.length}`
  if (found.length > 1 && emoji().test(found) && !tagCharacter.test(found)) return found
  return Array.from(found, escape).join('')
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' }

const escape = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (code > 0xff) return shownInEmoji(character) ? character : `\\u{${code.toString(16)}}`
  return escapes[character] ?? `\\x${code.toString(16).padStart(2, '0')}`
}

const pictographic = once(() => new RegExp(String.raw`[\p{Extended_Pictographic}--\p{C}]`, 'v'))

const shownInEmoji = (character: string): boolean => pictographic().test(character)

/** Stands in a line that lost its middle. */
export const CUT_MARK = / …\[\d+ characters\]… /

const cut = (line: string, max = Infinity): string => {
  if (line.length <= max) return line
  const mark = ` …[${line.length} characters]… `
  const keep = Math.max(0, max - mark.length)
  const head = Math.ceil(keep / 2)
  // A cut through a surrogate pair or an emoji leaves halves that were harmless only as a whole.
  return visible(line.slice(0, head), '') + mark + visible(line.slice(line.length - (keep - head)), '')
}
