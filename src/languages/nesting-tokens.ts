const { raw } = String

export const SLASH_COMMENTS = raw`\/\/.*|\/\*[^]*?(?:\*\/|$)`
export const HASH_COMMENT = '#.*'
/** Texts of one line; an unclosed quote starts none. */
export const TEXT = raw`"[^"\\\n]*(?:\\[^][^"\\\n]*)*"`
export const QUOTED = TEXT.replaceAll('"', "'")
/** Three quotes enclose a text of many lines. */
export const TRIPLE = '"""[^]*?(?:"""|$)'
export const TRIPLE_QUOTED = TRIPLE.replaceAll('"', "'")

const BRACKETS = raw`[()[\]{}]`

/** Tokens that decide where a language's brackets count: texts and comments first, then its operators. */
export const lexing = (...tokens: readonly string[]): RegExp => new RegExp([...tokens, BRACKETS].join('|'), 'g')
