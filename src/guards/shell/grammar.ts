import { readingLoop, readLoop } from './loop-words.ts'
import { skipComment, skipLines } from './skip-lines.ts'
import { addCommand } from './outline.ts'
import { deeper, doubt, eat, giveUp, isNext, keep, peek, skipBlanks, type Reader } from './reader.ts'
import { atRedirection, eatDescriptor, readRedirection } from './redirection.ts'
import { bareWord, eatWord } from './reserved-words.ts'
import { plainRead } from './plain-read.ts'
import { literalWord } from './programs/read-arguments.ts'
import type { Redirection, Simple, Word } from './script.ts'
import { readSimple } from './simple-command.ts'
import { readTest } from './test-expression.ts'
import { readWord } from './word.ts'

/** Reads a whole text. A function that is defined on its own applies to everything after it. */
export function readScript(reader: Reader): void {
  readList(reader, [''], true, name => void reader.defined.add(name))
}

/** Reads commands up to one of the given words or brackets, or the end of the text. */
export function readList(
  reader: Reader,
  stops: readonly string[],
  mayBeEmpty = false,
  define?: (name: string) => void,
): void {
  skipLines(reader)
  if (isAt(reader, stops) && !mayBeEmpty) giveUp('a command is missing')
  while (!isAt(reader, stops)) {
    const name = readChain(reader)
    skipComment(reader)
    if (isAt(reader, stops)) return
    const separator = readSeparator(reader)
    skipLines(reader)
    // The text of a here-document follows the commands that run after it.
    if (name !== undefined && separator !== '&' && reader.awaited.length === 0) define?.(name)
  }
}

function readSeparator(reader: Reader): ';' | '&' | '\n' {
  if (eat(reader, ';')) return ';'
  if (eat(reader, '&')) return '&'
  return peek(reader) === '\n' ? '\n' : giveUp('two commands are not separated')
}

function isAt(reader: Reader, stops: readonly string[]): boolean {
  const char = peek(reader)
  if (char === '') return true
  if (char === ')') return stops.includes(')')
  if (char === ';') return stops.includes(';;') && (isNext(reader, ';;') || isNext(reader, ';&'))
  const word = bareWord(reader)
  return word !== '' && stops.includes(word)
}

/** Returns the name of the function, if the chain is only its definition. */
function readChain(reader: Reader): string | undefined {
  let name = readPipeline(reader)
  for (skipBlanks(reader); eat(reader, '&&') || eat(reader, '||'); skipBlanks(reader)) {
    skipLines(reader)
    readPipeline(reader)
    name = undefined
  }
  return name
}

function readPipeline(reader: Reader): string | undefined {
  skipBlanks(reader)
  while (bareWord(reader) === '!' || bareWord(reader) === 'time') {
    if (eatWord(reader, '!')) skipBlanks(reader)
    else readTime(reader)
  }
  let last = readCommand(reader)
  for (skipBlanks(reader); !isNext(reader, '||') && eat(reader, '|'); skipBlanks(reader)) {
    const input = eat(reader, '&') ? last.simple && withErrors(last.simple) : last.simple
    skipLines(reader)
    last = { ...readCommand(reader, input), name: undefined }
  }
  return last.name
}

/** `a |& b` is `a 2>&1 | b`. */
const withErrors = (simple: Simple): Simple => ({
  ...simple,
  redirections: [...simple.redirections, { operator: '>&', target: literalWord('1') }],
})

/** If it is no keyword it is a program, which measures a simple command as well. */
function readTime(reader: Reader): void {
  eatWord(reader, 'time')
  skipBlanks(reader)
  eatWord(reader, '-p')
  skipBlanks(reader)
  // `--` ends the options, and the command follows.
  if (peek(reader) === '-') giveUp('time has options')
  const word = bareWord(reader)
  if (!/^[A-Za-z]/.test(word) || word === 'time' || COMPOUNDS.has(word)) doubt(reader, 'time measures a command')
}

const MISPLACED = new Set(['then', 'do', 'done', 'fi', 'elif', 'else', 'esac', '}', ']]'])

interface Read {
  readonly simple?: Simple | undefined
  /** The function that it defines. */
  readonly name?: string | undefined
}

function readCommand(reader: Reader, input?: Simple): Read {
  return deeper(reader, () => {
    skipBlanks(reader)
    const word = bareWord(reader)
    const compound = peek(reader) === '(' ? readSubshell : COMPOUNDS.get(word)
    if (MISPLACED.has(word)) giveUp(`'${word}' is misplaced`)
    if (!compound) return readSimpleOrFunction(reader, input)
    peek(reader)
    const start = reader.at
    eatWord(reader, word)
    const name = compound(reader, input)
    readRedirections(reader, start)
    return { name }
  })
}

function readSimpleOrFunction(reader: Reader, input: Simple | undefined): Read {
  let name: string | undefined
  const simple = readSimple(reader, input, word => {
    name = readBody(reader, word)
  })
  return { simple, name }
}

/** Reads redirections after a compound command, which apply to all of it. */
function readRedirections(reader: Reader, start: number): void {
  const redirections: Redirection[] = []
  for (skipBlanks(reader); eatDescriptor(reader) || atRedirection(reader); skipBlanks(reader))
    redirections.push(readRedirection(reader))
  const source = reader.text.slice(start, reader.at)
  if (redirections.length > 0) keep(reader, { source, assignments: [], words: [], redirections })
}

const COMPOUNDS: ReadonlyMap<string, (reader: Reader, input?: Simple) => string | undefined> = new Map([
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

function readUntil(reader: Reader, end: string): undefined {
  readList(reader, [end])
  expect(reader, end)
}

const expect = (reader: Reader, word: string): void => {
  if (!eatWord(reader, word)) giveUp(`'${word}' is missing`)
}

function readSubshell(reader: Reader): undefined {
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

function readIf(reader: Reader): undefined {
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

function readWhile(reader: Reader, input?: Simple): undefined {
  const start = reader.commands.length
  readUntil(reader, 'do')
  const [read, ...more] = reader.commands.slice(start)
  const names = read && more.length === 0 ? plainRead(read) : undefined
  if (read && names) reader.commands[start] = { ...read, isLoopRead: true }
  const loop = names && readingLoop(reader.commands[start], names, input)
  if (loop) reader.loops.push(loop)
  if (loop) reader.around.push(loop)
  readUntil(reader, 'done')
  if (loop) reader.around.pop()
}

function readFor(reader: Reader): undefined {
  const loop = readLoop(reader)
  skipLines(reader)
  expect(reader, 'do')
  reader.loops.push(loop)
  reader.around.push(loop)
  readUntil(reader, 'done')
  reader.around.pop()
}

function readSelect(reader: Reader): undefined {
  doubt(reader, 'a menu')
  readFor(reader)
}

function readCase(reader: Reader): undefined {
  skipBlanks(reader)
  if (!readWord(reader)) giveUp('a case has no word')
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

function readFunction(reader: Reader): string | undefined {
  skipBlanks(reader)
  const name = readWord(reader) ?? giveUp('a function has no name')
  skipBlanks(reader)
  if (eat(reader, '(') && !eat(reader, ')')) giveUp('a function is not understood')
  return readBody(reader, name)
}

/** Names that are written plainly, and that mean nothing to a shell. */
const NAME = /^[A-Za-z_][\w-]*$/

function readBody(reader: Reader, { source }: Word): string | undefined {
  const isPlain = NAME.test(source)
  if (!isPlain) doubt(reader, 'a function gives a name a new meaning')
  skipLines(reader)
  const start = reader.commands.length
  const { simple, name } = readCommand(reader)
  if (simple || name !== undefined) giveUp('a function has no body')
  addCommand(reader.outline, ['function', source])
  reader.functions.push({ name: source, body: reader.commands.slice(start) })
  return isPlain ? source : undefined
}

/** Within a substitution, bash 5.2 starts a program of the coprocess's name instead. */
function readCoprocess(reader: Reader): undefined {
  reader.doubts.push({ what: 'a coprocess', opaque: true })
  readCommand(reader)
}
