import { fileConcern, globConcern, valueConcern, type Concern } from '../concern.ts'
import { isOneWord, literalOf, type Word } from '../script.ts'
import type { Program } from './program.ts'
import { has, readArguments } from './read-arguments.ts'
import type { Option, Reading, Value } from './reading.ts'

/** How much of a command a rule already covers. */
interface Scope {
  /** The number of leading words that the rule spells. The caller ignores concerns about these. */
  readonly ruleLength: number
  /** Treats any write or program start as a concern, even if a rule for the program covers it. */
  readonly onlyReads?: true
}

/** Returns the parts of a command that are not known to be harmless. */
export function judgeArguments(program: Program, argumentWords: readonly Word[], scope: Scope): readonly Concern[] {
  if (program.operands === 'anything') return []
  const words = program.rewrite?.(argumentWords) ?? argumentWords
  const reading = readArguments(program, words)
  const isMore = scope.onlyReads && !program.subcommands && program.does !== 'read'
  return [
    ...concernAt(0, program.asks ?? (isMore ? 'it does more than read' : undefined)),
    ...reading.doubts,
    ...reading.options.flatMap(option => optionConcerns(program, option)),
    ...(program.subcommands ? subcommandConcerns(program, words, reading, scope) : operandConcerns(program, reading)),
    ...(program.judge?.(reading, words) ?? []),
    // Words after an option that runs a command may be options of that command.
  ].toSorted((one, other) => one.at - other.at)
}

function optionConcerns({ checks = {} }: Program, { at, name, kinds, values, isRisky }: Option): readonly Concern[] {
  if (isRisky) return [{ at, what: `the option ${name} may run a program or write a file` }]
  const check = checks[name]
  return values.flatMap((value, index) => {
    const text = literalOf(value.word)
    if (kinds[index] === '>')
      return text !== undefined && SINKS.has(text) ? [] : [{ at, what: `it writes to ${value.word.source}` }]
    const isFile = kinds[index] === '@'
    const what = check && text === undefined ? `the value of ${name} is not known` : joinedConcern(value, at, isFile)
    return concernAt(at, what ?? (text === undefined ? undefined : check?.(text)))
  })
}

const SINKS = new Set(['-', '/dev/null', '/dev/stdout'])

/** A value joined to its option may be a pattern, because both stay one word. */
function joinedConcern(value: Value, at: number, isFile: boolean): string | undefined {
  const concern = valueConcern(value.word, isFile)
  return concern !== undefined && value.at === at && !isFile ? globConcern(value.word, true) : concern
}

function operandConcerns(program: Program, reading: Reading): readonly Concern[] {
  const hasText = program.textBy !== undefined && has(reading, ...program.textBy.split(' '))
  return reading.operands.flatMap(({ at, word }, index) =>
    concernAt(at, operandConcern(program, word, index, hasText) ?? manyConcern(program, word, index)),
  )
}

function operandConcern(program: Program, word: Word, index: number, hasText: boolean): string | undefined {
  const { operands, free, check } = program
  if (operands === 'none') return `the argument ${word.source} is one too many`
  const text = literalOf(word)
  const isText = operands === 'texts' || (operands === 'text-then-files' && index === 0 && !hasText)
  if (text === undefined && operands === 'text-then-files' && isText && check)
    return `the value of ${word.source} is not known`
  if (text === undefined) return isText && free ? undefined : globConcern(word, free === true)
  return isText ? check?.(text) : fileConcern(text)
}

/** A pattern may match more files than the program reads; it would write to the next one. */
function manyConcern({ most = Infinity }: Program, word: Word, index: number): string | undefined {
  if (most === Infinity || (index < most && isOneWord(word))) return undefined
  return index < most
    ? `${word.source} may be more than one file, and the next is written`
    : `it writes to ${word.source}`
}

function subcommandConcerns(
  program: Program,
  words: readonly Word[],
  { operands: [first] }: Reading,
  { ruleLength, onlyReads }: Scope,
): readonly Concern[] {
  const name = first && literalOf(first.word)
  if (!first || name === undefined) return [{ at: first?.at ?? words.length, what: 'what it does is not known' }]
  const entry = program.subcommands?.get(name) ?? program.otherwise
  if (!entry) return [{ at: first.at, what: `'${name}' is not known; it may run or change something` }]
  const narrow = onlyReads ? entry.reading : ruleLength > first.at ? entry.narrow : undefined
  const sub = narrow ?? entry
  const within: Scope = { ruleLength: ruleLength - first.at, ...(onlyReads && { onlyReads }) }
  return judgeArguments(sub, words.slice(first.at), within).map(({ at, what }) => ({ at: at + first.at, what }))
}

export const concernAt = (at: number, what: string | undefined): readonly Concern[] =>
  what === undefined ? [] : [{ at, what }]
