import { listedWords, printsNames } from './listed-names.ts'
import { innerCommand, replacedMark } from './programs/inner-command.ts'
import { programOf } from './programs/programs.ts'
import { literalWord, readArguments } from './programs/read-arguments.ts'
import { wrapperOf } from './programs/wrappers.ts'
import { literalOf, type Simple, type Word } from './script.ts'

/** The command that `xargs` starts. */
interface XargsCommand {
  /** As written. */
  readonly written: Simple
  /** With the words that xargs adds, if those are names of the workspace; undefined if they may be anything. */
  readonly filled?: Simple | undefined
}

/** Options that only set how many words are added at a time. */
const PLAIN = new Set(
  `-0 -r -t -x -n -L -P -I -i --null --no-run-if-empty --verbose --exit --max-args --max-lines --max-procs --replace`.split(
    ' ',
  ),
)

/**
 * Returns the command that xargs starts; undefined for another program, or if the beginning of that command is
 * uncertain.
 */
export function xargsCommand(command: Simple): XargsCommand | undefined {
  const { words } = command
  const texts = words.map(literalOf)
  if (texts[0] !== 'xargs') return undefined
  const plainTexts = texts.map((text = '') => text)
  const { start, isUncertain = true } = innerCommand('xargs', plainTexts) ?? {}
  if (start === undefined || isUncertain || texts.slice(0, start + 1).includes(undefined)) return undefined
  const innerWritten = commandOf(words.slice(start))
  const inputName = addedName(command, plainTexts.slice(0, start))
  const mark = replacedMark(plainTexts)
  if (!inputName) return { written: innerWritten }
  if (mark === undefined)
    return {
      written: innerWritten,
      filled: commandOf([...innerWritten.words, endsOptions(innerWritten) ? listedWords.path : inputName]),
    }
  const inner = innerWritten.words.map(literalOf)
  const isPlain = inner.every(text => text !== undefined && (text === mark || !text.includes(mark)))
  const replacedWords = innerWritten.words.map((word, at) => (inner[at] === mark ? inputName : word))
  return { written: innerWritten, filled: isPlain ? commandOf(replacedWords) : undefined }
}

const commandOf = (words: readonly Word[]): Simple => ({
  source: words.map(({ source }) => source).join(' '),
  words,
  assignments: [],
  redirections: [],
})

/**
 * Returns a name as xargs adds it. Only NUL-terminated names from `find` are certainly one word, and never look like an
 * option.
 */
function addedName({ input, redirections }: Simple, before: readonly string[]): Word | undefined {
  const wrapper = wrapperOf('xargs')
  if (!wrapper || !input || redirections.some(({ operator }) => operator.startsWith('<')) || !printsNames(input))
    return undefined
  const { options } = readArguments(wrapper, before.map(literalWord))
  const isPlain = options.every(
    ({ name, values: [value] }) =>
      PLAIN.has(name) || (/^(-d|--delimiter)$/.test(name) && /^\\[n0]$/.test(value?.word.source ?? '')),
  )
  if (!isPlain) return undefined
  const isWhole = options.some(({ name }) => name === '-0' || name === '--null')
  const texts = input.words.map(literalOf)
  return isWhole && texts[0] === 'find' && texts.at(-1) === '-print0' ? listedWords.path : listedWords.name
}

/** Reports whether a word after these is an operand, whatever it looks like. */
function endsOptions({ words }: Simple): boolean {
  const program = programOf((words[0] && literalOf(words[0])) ?? '')
  if (!program || program.subcommands) return false
  const { operands } = readArguments(program, [...words, literalWord('--x')])
  return operands.at(-1)?.at === words.length
}
