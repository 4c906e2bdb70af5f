import { listedWords } from './listed-names.ts'
import { literalOf, type Simple, type Word } from './script.ts'

/** A `find` and the commands that it starts for each match. */
interface FindExec {
  /** The find without these commands. */
  readonly find: Simple
  readonly commands: readonly Simple[]
}

/** Takes the `-exec … ;` and `-exec … {} +` out of a find; undefined if it has none, or one that is not plain. */
export function findExec(command: Simple): FindExec | undefined {
  const texts = command.words.map(literalOf)
  if (texts[0] !== 'find' || !texts.includes('-exec')) return undefined
  const words: Word[] = []
  const commands: Simple[] = []
  for (let at = 0; at < texts.length; at++) {
    const word = command.words[at]
    if (!word) break
    if (texts[at] !== '-exec') {
      words.push(word)
      continue
    }
    const end = texts.findIndex(
      (text, index) => index > at && (text === ';' || (text === '+' && texts[index - 1] === '{}')),
    )
    const inner = command.words.slice(at + 1, end)
    if (end < 0 || !inner.every(isPlain)) return undefined
    commands.push({
      source: inner.map(({ source }) => source).join(' '),
      words: inner.map(fillPath),
      assignments: [],
      redirections: [],
    })
    at = end
  }
  return { find: { ...command, words }, commands }
}

/** Braces are the whole word, or no part of it. */
const isPlain = (word: Word): boolean => {
  const text = literalOf(word)
  return text === undefined ? false : text === '{}' || !text.includes('{}')
}

const fillPath = (word: Word): Word => (literalOf(word) === '{}' ? listedWords.path : word)
