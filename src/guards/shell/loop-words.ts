import { skipLines } from './lines.ts'
import { doubt, eat, giveUp, skipBlanks, type Reader } from './reader.ts'
import { eatWord } from './reserved.ts'
import { literalOf, type Loop, type Word } from './script.ts'
import { isTameName } from './tame-name.ts'
import { readWord } from './word.ts'

/** Reads what stands between `for` and `do`: a name, and the words that it stands for one after the other. */
export function readLoop(reader: Reader): Loop {
  skipBlanks(reader)
  const first = readWord(reader)
  const name = first && literalOf(first)
  if (name === undefined || first?.source !== name || !/^[A-Za-z_]\w*$/.test(name)) giveUp('a loop is not understood')
  if (!isTameName(name)) doubt(reader, `a loop sets the variable ${name}`)
  skipLines(reader)
  if (!eatWord(reader, 'in')) {
    eat(reader, ';')
    const all: Word = { source: '"$@"', pieces: [{ kind: 'variable', name: '@', quoted: true }], brace: false }
    return { name, words: [all] }
  }
  const words: Word[] = []
  for (skipBlanks(reader); ; skipBlanks(reader)) {
    const word = readWord(reader)
    if (!word) break
    words.push(word)
  }
  eat(reader, ';')
  return { name, words }
}
