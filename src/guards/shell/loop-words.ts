import { skipComment, skipLines } from './skip-lines.ts'
import { addCommand } from './outline.ts'
import { doubt, eat, giveUp, peek, skipBlanks, type Reader } from './reader.ts'
import { eatWord } from './reserved-words.ts'
import { listedNames } from './listed-names.ts'
import { literalOf, type Loop, type Simple, type Word } from './script.ts'
import { isHarmlessVariable } from './harmless-variable.ts'
import { readWord } from './word.ts'

/** Reads the part between `for` and `do`: a name, and the words that it takes in turn. */
export function readLoop(reader: Reader): Loop {
  skipBlanks(reader)
  const first = readWord(reader)
  const name = first && literalOf(first)
  if (name === undefined || first?.source !== name || !/^[A-Za-z_]\w*$/.test(name)) giveUp('a loop is not understood')
  if (!isHarmlessVariable(name)) doubt(reader, `a loop sets the variable ${name}`)
  skipLines(reader)
  if (!eatWord(reader, 'in')) {
    eat(reader, ';')
    addCommand(reader.outline, ['for', name])
    const all: Word = { source: '"$@"', pieces: [{ kind: 'variable', name: '@', quoted: true }], brace: false }
    return { name, words: [all] }
  }
  const words: Word[] = []
  for (skipBlanks(reader); ; skipBlanks(reader)) {
    const word = readWord(reader)
    if (!word) break
    words.push(word)
  }
  skipComment(reader)
  if (peek(reader) !== '\n' && !eat(reader, ';')) giveUp('a loop is not understood')
  addCommand(reader.outline, ['for', name, ...words.map(({ source }) => source)])
  return { name, words }
}

/** Returns the loop of `ls | while read -r name` over the listed names; undefined if lines may be anything. */
export function readingLoop(
  read: Simple | undefined,
  [name, ...others]: readonly string[],
  input: Simple | undefined,
): Loop | undefined {
  const word = input && listedNames(input)
  const isRaw = read?.words.some(one => one.source === '-r') === true
  if (!read || name === undefined || others.length > 0 || !word || !isRaw || read.redirections.length > 0)
    return undefined
  return { name, words: [word], read }
}
