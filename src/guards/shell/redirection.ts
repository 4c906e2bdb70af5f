import { entryOf } from './outline.ts'
import { doubt, eat, giveUp, isNext, peek, skipBlanks, type Reader } from './reader.ts'
import { bareWord, eatWord } from './reserved-words.ts'
import { literalOf, type Redirection, type Word } from './script.ts'
import { readWord } from './word.ts'

const OPERATORS = ['<<<', '<<-', '<<', '<&', '<>', '<', '&>>', '&>', '>>', '>|', '>&', '>']

/** Reports whether a redirection begins here; `<(` and `>(` are words. */
export function atRedirection(reader: Reader): boolean {
  const char = peek(reader)
  if (char === '&') return isNext(reader, '&>')
  return (char === '<' || char === '>') && !isNext(reader, `${char}(`)
}

/** Skips the number or the `{name}` of a descriptor directly before a redirection. */
export function eatDescriptor(reader: Reader): boolean {
  if (!/[0-9{]/.test(peek(reader))) return false
  const word = bareWord(reader)
  if (!/^(\d+|\{[A-Za-z_]\w*\})$/.test(word)) return false
  const start = reader.at
  eatWord(reader, word)
  if (!atRedirection(reader) || peek(reader) === '&') {
    reader.at = start
    return false
  }
  if (word.startsWith('{')) doubt(reader, 'a descriptor is kept in a variable')
  return true
}

/** Reads a redirection; the text of a here-document is filled in when its line ends. */
export function readRedirection(reader: Reader): Redirection {
  const operator = OPERATORS.find(candidate => eat(reader, candidate)) ?? giveUp('a redirection is not understood')
  skipBlanks(reader)
  const target = readWord(reader) ?? giveUp('a redirection has no target')
  reader.outline.redirections.push(entryOf([operator + target.source]))
  // Anything but a number is a file, whose name the shell expands a second time.
  if (operator.endsWith('&') && !/^[\w./-]+$/.test(literalOf(target) ?? ''))
    giveUp('a redirection evaluates its target twice')
  if (operator !== '<<' && operator !== '<<-') return { operator, target }

  const redirection: { operator: string; target: Word; body?: string | undefined } = { operator, target }
  const delimiter = literalOf(target)
  if (delimiter === undefined || !/^\w[\w.-]*$/.test(delimiter)) giveUp('the end of a here-document is not certain')
  reader.awaited.push({
    delimiter,
    quoted: target.pieces.some(piece => piece.kind === 'text' && piece.quoted),
    tabs: operator === '<<-',
    done: body => void (redirection.body = body),
  })
  return redirection
}
