import { skipLines } from './skip-lines.ts'
import { addCommand, entryOf } from './outline.ts'
import { doubt, eat, giveUp, keep, peek, skipBlanks, take, type Reader } from './reader.ts'
import { atRedirection, eatDescriptor, readRedirection } from './redirection.ts'
import { literalOf, type Assignment, type Redirection, type Simple, type Word, type Piece } from './script.ts'
import { isWordEnd, readWord } from './word.ts'

const ENDS = new Set(['', '\n', ';', '|', '&', ')', '#'])

/** Reads a simple command; `name ()` begins a function instead, whose body `define` reads. */
export function readSimple(
  reader: Reader,
  input: Simple | undefined,
  define: (name: Word) => void,
): Simple | undefined {
  const assignments: Assignment[] = []
  const words: Word[] = []
  const sources: string[] = []
  const redirections: Redirection[] = []
  peek(reader)
  const start = reader.at
  for (;;) {
    skipBlanks(reader)
    if (eatDescriptor(reader) || atRedirection(reader)) {
      redirections.push(readRedirection(reader))
      continue
    }
    if (ENDS.has(peek(reader))) break
    const begin = reader.at
    if (words.length === 0) ensurePlainIndex(reader, INDEXED)
    const word = readWord(reader)
    if (!word) {
      const [name] = words
      if (!name || words.length > 1 || assignments.length + redirections.length > 0) giveUp('a bracket is misplaced')
      readBrackets(reader)
      define(name)
      return undefined
    }
    const assignment = words.length === 0 ? toAssignment(reader, word) : undefined
    if (assignment) {
      assignments.push(assignment)
      reader.outline.assignments.push(entryOf([reader.text.slice(begin, reader.at)]))
    } else {
      words.push(...(words.length === 0 ? [word] : braceWords(word)))
      sources.push(word.source)
    }
  }
  if (assignments.length + words.length + redirections.length === 0) giveUp('a command is missing')
  addCommand(reader.outline, sources)
  const source = reader.text.slice(start, reader.at).trimEnd()
  const name = words[0] && literalOf(words[0])
  const isCall = name !== undefined && reader.defined.has(name)
  return keep(reader, {
    source,
    assignments,
    words,
    redirections,
    ...(input && { input }),
    ...(isCall && { isCall }),
  })
}

function readBrackets(reader: Reader): void {
  take(reader)
  skipBlanks(reader)
  if (!eat(reader, ')')) giveUp('a bracket is misplaced')
}

const INDEXED = /[A-Za-z_](?:\w|\\\n)*(?=\[)/y
const PLAIN_INDEX = /\[(?:[\w@*+$.-]|"[\w .-]*")*\]/y

/**
 * At a possible assignment, the shell reads `name[` up to its closing bracket as one word, over blanks, quotes and
 * lines.
 */
function ensurePlainIndex({ text, at }: Reader, before: RegExp): void {
  before.lastIndex = at
  const name = before.exec(text)
  if (!name) return
  PLAIN_INDEX.lastIndex = at + name[0].length
  if (!PLAIN_INDEX.test(text)) giveUp('an index is not understood')
}

/** Parses `NAME=value`, `NAME+=value`, `NAME[index]=value` or `NAME=(values)`, with the name unquoted. */
function toAssignment(reader: Reader, word: Word): Assignment | undefined {
  const [first, ...rest] = word.pieces
  if (first?.kind !== 'text' || first.quoted) return undefined
  const [whole, name] = /^([A-Za-z_]\w*)\+?=/.exec(first.text) ?? []
  if (whole === undefined || name === undefined) return toElement(word)
  const elements = first.text === whole && rest.length === 0 && eat(reader, '(') ? readArray(reader) : undefined
  const text = first.text.slice(whole.length)
  const pieces = text === '' ? rest : [{ ...first, text }, ...rest]
  const value = { source: word.source.slice(whole.length), pieces, brace: word.brace }
  return { name, value, ...(elements && { elements }) }
}

function toElement(word: Word): Assignment | undefined {
  const [, name] = /^([A-Za-z_]\w*)\[[^]*\]\+?=/.exec(word.source) ?? []
  return name === undefined ? undefined : { name, value: word }
}

function readArray(reader: Reader): readonly Word[] {
  doubt(reader, 'an array')
  const elements: Word[] = []
  for (skipLines(reader); !eat(reader, ')'); skipLines(reader)) {
    ensurePlainIndex(reader, /(?=\[)/y)
    elements.push(readWord(reader) ?? giveUp('an array is not understood'))
  }
  // The shell takes whatever follows without a blank for the same word, even a #.
  if (!isWordEnd(peek(reader))) giveUp('a word continues after an array')
  return elements
}

/** One list of plain texts between plain texts: `*.{js,ts}`. */
const PLAIN = /^([\w./*?@%+-]*)\{([\w./*?@%+-]+(?:,[\w./*?@%+-]+)+)\}([\w./*?@%+-]*)$/
const MAX_WORDS = 32

/** Returns the words that braces expand to, if that is certain; otherwise the word itself. */
function braceWords(word: Word): readonly Word[] {
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
