import { skipComment, skipLines } from './lines.ts'
import { deeper, doubt, eat, giveUp, isNext, peek, skipBlanks, type Reader } from './reader.ts'
import { atRedirection, eatDescriptor, readRedirection } from './redirection.ts'
import { bareWord, eatWord } from './reserved.ts'
import { literalOf, type Redirection, type Simple } from './script.ts'
import { readSimple } from './simple-command.ts'
import { readWord } from './word.ts'

/** Reads commands up to one of the given words or brackets, or the end of the text. */
export function readList(reader: Reader, stops: readonly string[], mayBeEmpty = false): void {
  skipLines(reader)
  if (isAt(reader, stops) && !mayBeEmpty) giveUp('a command is missing')
  while (!isAt(reader, stops)) {
    readChain(reader)
    skipComment(reader)
    if (isAt(reader, stops)) return
    if (!eat(reader, ';') && !eat(reader, '&') && peek(reader) !== '\n') giveUp('two commands are not separated')
    skipLines(reader)
  }
}

function isAt(reader: Reader, stops: readonly string[]): boolean {
  const char = peek(reader)
  if (char === '') return true
  if (char === ')') return stops.includes(')')
  if (char === ';') return stops.includes(';;') && (isNext(reader, ';;') || isNext(reader, ';&'))
  const word = bareWord(reader)
  return word !== '' && stops.includes(word)
}

function readChain(reader: Reader): void {
  readPipeline(reader)
  for (skipBlanks(reader); eat(reader, '&&') || eat(reader, '||'); skipBlanks(reader)) {
    skipLines(reader)
    readPipeline(reader)
  }
}

function readPipeline(reader: Reader): void {
  skipBlanks(reader)
  while (bareWord(reader) === '!' || bareWord(reader) === 'time') {
    if (eatWord(reader, '!')) skipBlanks(reader)
    else readTime(reader)
  }
  let last = readCommand(reader)
  for (skipBlanks(reader); !isNext(reader, '||') && eat(reader, '|'); skipBlanks(reader)) {
    eat(reader, '&')
    skipLines(reader)
    last = readCommand(reader, last)
  }
}

function readTime(reader: Reader): void {
  doubt(reader, 'time measures a command')
  eatWord(reader, 'time')
  skipBlanks(reader)
  eatWord(reader, '-p')
  skipBlanks(reader)
}

const MISPLACED = new Set(['then', 'do', 'done', 'fi', 'elif', 'else', 'esac', '}', ']]'])

function readCommand(reader: Reader, input?: Simple): Simple | undefined {
  return deeper(reader, () => {
    skipBlanks(reader)
    const word = bareWord(reader)
    const compound = peek(reader) === '(' ? readSubshell : COMPOUNDS.get(word)
    if (MISPLACED.has(word)) giveUp(`'${word}' stands in a strange place`)
    if (!compound) return readSimple(reader, input, () => void readCommand(reader))
    peek(reader)
    const start = reader.at
    eatWord(reader, word)
    compound(reader)
    readRedirections(reader, start)
    return undefined
  })
}

/** What stands behind a compound command holds for all of it. */
function readRedirections(reader: Reader, start: number): void {
  const redirections: Redirection[] = []
  for (skipBlanks(reader); eatDescriptor(reader) || atRedirection(reader); skipBlanks(reader))
    redirections.push(readRedirection(reader))
  const source = reader.text.slice(start, reader.at)
  if (redirections.length > 0) reader.commands.push({ source, assignments: [], words: [], redirections })
}

const COMPOUNDS: ReadonlyMap<string, (reader: Reader) => void> = new Map([
  ['{', (reader: Reader) => readUntil(reader, '}')],
  ['if', readIf],
  ['while', readWhile],
  ['until', readWhile],
  ['for', readFor],
  ['select', readSelect],
  ['case', readCase],
  ['function', readFunction],
  ['coproc', readCoprocess],
  ['[[', readTest],
])

function readUntil(reader: Reader, end: string): void {
  readList(reader, [end])
  expect(reader, end)
}

const expect = (reader: Reader, word: string): void => {
  if (!eatWord(reader, word)) giveUp(`'${word}' is missing`)
}

function readSubshell(reader: Reader): void {
  if (isNext(reader, '((')) {
    readArithmetic(reader)
    return
  }
  eat(reader, '(')
  readList(reader, [')'])
  if (!eat(reader, ')')) giveUp('a bracket is not closed')
}

function readArithmetic(reader: Reader): void {
  const pattern = /\(\([\w\s+\-*/%<>=!&|^~?:,]*\)\)/y
  pattern.lastIndex = reader.at
  const [whole] = pattern.exec(reader.text) ?? giveUp('(( is not understood')
  doubt(reader, '(( is arithmetic')
  reader.at += whole.length
}

function readIf(reader: Reader): void {
  readUntil(reader, 'then')
  for (;;) {
    readList(reader, ['elif', 'else', 'fi'])
    if (eatWord(reader, 'fi')) return
    if (eatWord(reader, 'elif')) readUntil(reader, 'then')
    else {
      expect(reader, 'else')
      readUntil(reader, 'fi')
      return
    }
  }
}

function readWhile(reader: Reader): void {
  readUntil(reader, 'do')
  readUntil(reader, 'done')
}

/** Names that no program looks at. */
const TAME = /^([a-z]|file|dir|item)$/

function readFor(reader: Reader): void {
  skipBlanks(reader)
  const name = readWord(reader)
  const variable = name && literalOf(name)
  if (variable === undefined || !/^[A-Za-z_]\w*$/.test(variable)) giveUp('a loop is not understood')
  if (!TAME.test(variable)) doubt(reader, `a loop sets the variable ${variable}`)
  skipLines(reader)
  if (eatWord(reader, 'in')) for (skipBlanks(reader); readWord(reader); skipBlanks(reader));
  skipBlanks(reader)
  eat(reader, ';')
  skipLines(reader)
  expect(reader, 'do')
  readUntil(reader, 'done')
}

function readSelect(reader: Reader): void {
  doubt(reader, 'a menu')
  readFor(reader)
}

function readCase(reader: Reader): void {
  doubt(reader, 'a case')
  skipBlanks(reader)
  if (!readWord(reader)) giveUp('a case is about nothing')
  skipLines(reader)
  expect(reader, 'in')
  for (skipLines(reader); !eatWord(reader, 'esac'); skipLines(reader)) {
    eat(reader, '(')
    do {
      skipBlanks(reader)
      if (!readWord(reader)) giveUp('a case is not understood')
      skipBlanks(reader)
    } while (eat(reader, '|'))
    if (!eat(reader, ')')) giveUp('a case is not understood')
    readList(reader, [';;', 'esac'], true)
    if (!eat(reader, ';;&') && !eat(reader, ';;')) eat(reader, ';&')
  }
}

function readFunction(reader: Reader): void {
  doubt(reader, 'a function gives a name a new meaning')
  skipBlanks(reader)
  if (!readWord(reader)) giveUp('a function has no name')
  skipBlanks(reader)
  if (eat(reader, '(') && !eat(reader, ')')) giveUp('a function is not understood')
  skipLines(reader)
  readCommand(reader)
}

function readCoprocess(reader: Reader): void {
  doubt(reader, 'a coprocess')
  readCommand(reader)
}

function readTest(reader: Reader): void {
  doubt(reader, '[[ is a test')
  for (;;) {
    skipLines(reader)
    if (eatWord(reader, ']]')) return
    const isOperator = ['(', ')', '<', '>', '&&', '||', '|'].some(operator => eat(reader, operator))
    if (!isOperator && !readWord(reader)) giveUp('a test is not understood')
  }
}
