import { isControl } from './control-words.ts'
import { redirectionConcern } from './harmless-redirection.ts'
import { parseLine } from './parse-line.ts'
import { literalOf, type Simple } from './script.ts'

/** Returns the words of a line that is one command without anything special; undefined for every other line. */
export function plainWords(line: string): readonly string[] | undefined {
  const { commands, doubts, broken } = parseLine(line)
  const [command, ...more] = commands
  if (!command || more.length > 0 || doubts.length > 0 || broken !== undefined) return undefined
  if (command.redirections.length > 0 || command.source !== line.trim()) return undefined
  return wordsOf(command)
}

/** Returns the parts of a line whose every command is plain, as written; undefined for every other line. */
export function plainParts(line: string): readonly string[] | undefined {
  const { commands, doubts, functions, broken } = parseLine(line)
  if (doubts.length + functions.length > 0 || broken !== undefined || commands.length === 0) return undefined
  const isPlain = (command: Simple): boolean =>
    !command.unrolled &&
    wordsOf(command) !== undefined &&
    command.redirections.every(one => redirectionConcern(one) === undefined)
  const parts = commands.filter(command => !isControl(command))
  return parts.length > 0 && parts.every(isPlain) ? parts.map(({ source }) => source) : undefined
}

function wordsOf({ words, assignments }: Simple): readonly string[] | undefined {
  const texts = words.map(literalOf)
  if (assignments.length > 0 || texts.length === 0) return undefined
  return texts.every(text => text !== undefined) ? texts : undefined
}
