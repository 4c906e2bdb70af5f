import { doubt, eat, giveUp, peek, skipBlanks, type Reader } from './reader.ts'
import { bareWord, eatWord } from './reserved-words.ts'
import { literalOf, type Word } from './script.ts'
import { readWord } from './word.ts'

/** Tests on a file or a text. */
const ABOUT = /^-[bcdefghknprsuwxzGLNOS]$/
const ORDER = /^-(nt|ot|ef)$/
/** These evaluate both sides, including commands in an index. */
const NUMBERS = /^-(eq|ne|lt|le|gt|ge)$/

/**
 * Reads `[[ … ]]` after its opening. An evaluated part, and one that another shell would take for commands, is a doubt.
 */
export function readTest(reader: Reader): undefined {
  readAlternatives(reader)
  skipBlanks(reader)
  if (!eatWord(reader, ']]')) giveUp('a test is not understood')
}

function readAlternatives(reader: Reader): void {
  readTerm(reader)
  for (skipBlanks(reader); eat(reader, '&&') || eat(reader, '||'); skipBlanks(reader)) {
    skipEnds(reader)
    // In a shell without [[, the right side is a command.
    if (!ABOUT.test(bareWord(reader))) doubt(reader, 'a test of several parts')
    readTerm(reader)
  }
}

function readTerm(reader: Reader): void {
  skipEnds(reader)
  while (eatWord(reader, '!')) skipBlanks(reader)
  if (eat(reader, '(')) {
    doubt(reader, 'a test with brackets')
    readAlternatives(reader)
    skipEnds(reader)
    if (!eat(reader, ')')) giveUp('a test is not understood')
    return
  }
  const operator = bareWord(reader)
  const leftOperand = readOperand(reader)
  skipBlanks(reader)
  if (ABOUT.test(operator)) readOperand(reader)
  else if (/^-./.test(operator)) readUnusual(reader, operator)
  else readComparison(reader, leftOperand)
}

/** `-v` looks up an element, whose index is evaluated. */
function readUnusual(reader: Reader, operator: string): void {
  const word = readOperand(reader)
  if (hasCommands(word)) giveUp('a test evaluates commands in a text')
  const { source } = word
  if (operator !== '-v' || !/^\w+$/.test(source)) doubt(reader, `a test with ${operator}`)
}

function readComparison(reader: Reader, left: Word): void {
  if (bareWord(reader) === ']]' || /[&|)]/.test(peek(reader))) return
  if (eat(reader, '<') || eat(reader, '>')) {
    doubt(reader, 'a test of order')
    skipBlanks(reader)
    readOperand(reader)
    return
  }
  const { source: operator } = readOperand(reader)
  skipBlanks(reader)
  const right = readOperand(reader)
  if (NUMBERS.test(operator)) {
    if (hasCommands(left) || hasCommands(right)) giveUp('a test evaluates commands in a text')
    if (![left, right].every(isNumber)) doubt(reader, 'a test evaluates what it compares')
  } else if (operator === '=~') {
    if (peek(reader) !== ' ') giveUp('a test is not understood')
  } else if (!/^(==?|!=)$/.test(operator) && !ORDER.test(operator)) giveUp('a test is not understood')
}

const isNumber = (word: Word): boolean => /^\d+$/.test(literalOf(word) ?? '') || /^"?\$[#?]"?$/.test(word.source)

/** Reports whether a plain text contains commands if it is evaluated. */
const hasCommands = (word: Word): boolean => /\$\(|`/.test(literalOf(word) ?? '')

/** A bracket or an operator that is no word of its own begins something that is not followed. */
function readOperand(reader: Reader): Word {
  const word = readWord(reader)
  if (!word || word.source === ']]') giveUp('a test is not understood')
  if (/[(<>]/.test(peek(reader))) giveUp('a test is not understood')
  return word
}

/** Skips line ends, but not the comments and here-documents that may be elsewhere. */
function skipEnds(reader: Reader): void {
  for (skipBlanks(reader); peek(reader) === '\n'; skipBlanks(reader)) {
    if (reader.awaited.length > 0) giveUp('a test continues on the next line')
    reader.at++
  }
}
