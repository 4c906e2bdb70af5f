import type { Piece, Word } from './script.ts'

/** One list of plain texts between plain texts: `*.{js,ts}`. */
const PLAIN = /^([\w./*?@%+-]*)\{([\w./*?@%+-]+(?:,[\w./*?@%+-]+)+)\}([\w./*?@%+-]*)$/
const MAX_WORDS = 32

/** The words that braces make of one, where that is certain; the word itself everywhere else. */
export function braceWords(word: Word): readonly Word[] {
  if (!word.brace) return [word]
  const [, before = '', list, after = ''] = PLAIN.exec(word.source) ?? []
  const parts = list?.split(',') ?? []
  if (parts.length === 0 || parts.length > MAX_WORDS || word.source.includes('..')) return [word]
  return parts.map(part => plainWord(before + part + after))
}

function plainWord(source: string): Word {
  const pieces = source.split(/([*?])/).flatMap<Piece>(text => {
    if (text === '') return []
    return [text === '*' || text === '?' ? { kind: 'glob', text } : { kind: 'text', text, quoted: false }]
  })
  return { source, pieces, brace: false }
}
