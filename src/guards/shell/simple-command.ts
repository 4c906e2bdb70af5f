import { skipLines } from './lines.ts'
import { doubt, eat, giveUp, peek, skipBlanks, take, type Reader } from './reader.ts'
import { atRedirection, eatDescriptor, readRedirection } from './redirection.ts'
import type { Assignment, Redirection, Simple, Word } from './script.ts'
import { readWord } from './word.ts'

const ENDS = new Set(['', '\n', ';', '|', '&', ')', '#'])

/** Reads a simple command; `name ()` begins a function instead, whose body `define` reads. */
export function readSimple(reader: Reader, input: Simple | undefined, define: () => void): Simple | undefined {
  const assignments: Assignment[] = []
  const words: Word[] = []
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
    const word = readWord(reader)
    if (!word) {
      if (words.length !== 1 || assignments.length + redirections.length > 0)
        giveUp('a bracket stands in a strange place')
      readFunction(reader, define)
      return undefined
    }
    if (reader.awaited.length > 0 && word.source.includes('\n')) giveUp('a word goes over the end of its line')
    const assignment = words.length === 0 ? toAssignment(reader, word) : undefined
    if (assignment) assignments.push(assignment)
    else words.push(word)
  }
  if (assignments.length + words.length + redirections.length === 0) giveUp('a command is missing')
  const source = reader.text.slice(start, reader.at).trimEnd()
  const command = { source, assignments, words, redirections, ...(input && { input }) }
  reader.commands.push(command)
  return command
}

function readFunction(reader: Reader, define: () => void): void {
  take(reader)
  skipBlanks(reader)
  if (!eat(reader, ')')) giveUp('a bracket stands in a strange place')
  doubt(reader, 'a function gives a name a new meaning')
  skipLines(reader)
  define()
}

/** `NAME=value`, `NAME+=value`, `NAME[index]=value` or `NAME=(values)`, with the name unquoted. */
function toAssignment(reader: Reader, word: Word): Assignment | undefined {
  const [first, ...rest] = word.pieces
  if (first?.kind !== 'text' || first.quoted) return undefined
  const [whole, name] = /^([A-Za-z_]\w*)\+?=/.exec(first.text) ?? []
  if (whole === undefined || name === undefined) return toElement(word)
  if (first.text === whole && rest.length === 0 && eat(reader, '(')) readArray(reader)
  const text = first.text.slice(whole.length)
  const pieces = text === '' ? rest : [{ ...first, text }, ...rest]
  return { name, value: { source: word.source.slice(whole.length), pieces, brace: word.brace } }
}

function toElement(word: Word): Assignment | undefined {
  const [, name] = /^([A-Za-z_]\w*)\[[^]*\]\+?=/.exec(word.source) ?? []
  return name === undefined ? undefined : { name, value: word }
}

function readArray(reader: Reader): void {
  doubt(reader, 'an array')
  for (skipLines(reader); !eat(reader, ')'); skipLines(reader))
    if (!readWord(reader)) giveUp('an array is not understood')
}
