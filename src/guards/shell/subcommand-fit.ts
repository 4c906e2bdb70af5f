import type { Argv } from './likely-commands.ts'
import type { Program, SubcommandNames } from './programs/program.ts'
import { optionTable } from './programs/option-table.ts'
import { takesNext } from './programs/read-arguments.ts'
import { subcommandNamesOf } from './programs/subcommand-names.ts'

/** The subcommands of a program by every name that it accepts for them. */
export interface Subcommands {
  /** Reports whether a word of the command means a rule's word at this place after the program. */
  means(word: string, wanted: string, place: number): boolean
  /** Returns the words, and their other spellings that the program accepts. */
  spellings(words: Argv): readonly Argv[]
  /** Reports whether a configuration file may have defined this name. */
  mayBeAlias(word: string): boolean
  /** Reports whether the word after this option is its value. */
  takesNext(option: string): boolean
  /** Each operand is one thing to do, in any order. */
  readonly isUnordered: boolean
}

const subcommandsByProgram = new Map<string, Subcommands>()

/** Returns what is known of the subcommands of this program. */
export function subcommandsOf(program: string): Subcommands {
  const programSubcommands =
    subcommandsByProgram.get(program) ?? compile(subcommandNamesOf(program) ?? {}, optionTable(program).program)
  subcommandsByProgram.set(program, programSubcommands)
  return programSubcommands
}

interface Phrase {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

function compile(names: SubcommandNames, table: Program): Subcommands {
  const wordProgram: Program = { does: 'run', operands: 'texts', style: 'words', options: names.options ?? '' }
  const isValued = (option: string): boolean => takesNext(wordProgram, option) || takesNext(table, option)
  const { own = '', aliases = {}, abbreviates, others, before } = names
  const phrases = Object.entries(aliases).flatMap(([from, to]) =>
    from.split(', ').map((spelling): Phrase => ({ from: spelling.split(' '), to: to.split(' ') })),
  )
  const single = new Map(
    phrases.flatMap(({ from, to }) => (from.length + to.length === 2 ? [[from[0] ?? '', to[0] ?? '']] : [])),
  )
  const longer = phrases.filter(({ from, to }) => from.length + to.length > 2)
  const firstWords = new Set([
    ...own.split(/\s+/).filter(name => name !== ''),
    ...single.keys(),
    ...longer.map(({ from }) => from[0] ?? ''),
  ])

  /** Returns the names that a word may stand for. A complete name is no abbreviation of another. */
  const meanings = (word: string): readonly string[] => {
    const name = names.camelCase ? word.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`) : word
    const begun =
      firstWords.has(name) || !abbreviates || name === '' ? [name] : [...firstWords].filter(one => one.startsWith(name))
    return begun.map(one => single.get(one) ?? one)
  }
  const isSame = (word: string, wanted: string): boolean => {
    const meaningsOfWanted = meanings(wanted)
    return word === wanted || meanings(word).some(name => meaningsOfWanted.includes(name))
  }
  const isMeant = (word: string, wanted: string, place: number): boolean => {
    if (word === wanted) return true
    if (abbreviates === 'everything' && word !== '' && (place > 0 || !firstWords.has(word)) && wanted.startsWith(word))
      return true
    return place === 0 && isSame(word, wanted)
  }

  const rewritten = (words: Argv): readonly Argv[] => [
    ...rewrittenAt(words, operandPlaces(words, isValued)),
    // An unknown option may have a value.
    ...rewrittenAt(
      words,
      operandPlaces(words, () => true),
    ),
  ]

  const rewrittenAt = (words: Argv, places: readonly number[]): readonly Argv[] => {
    const [first = -1] = places
    const text = words[first]?.text
    if (text === undefined) return []
    if (before?.test(text)) return [words.toSpliced(first, 1)]
    const scripts: readonly Argv[] =
      others === 'scripts' && !firstWords.has(text) ? [words.toSpliced(first, 0, { text: 'run', sure: true })] : []
    return [...scripts, ...longer.flatMap(phrase => replacePhrase(words, places, phrase))]
  }

  const replacePhrase = (words: Argv, places: readonly number[], { from, to }: Phrase): readonly Argv[] => {
    const isThere = from.every((wanted, index) => {
      const text = words[places[index] ?? -1]?.text
      return text !== undefined && (wanted === '*' || (index === 0 ? isSame(text, wanted) : text === wanted))
    })
    if (!isThere) return []
    const takenPlaces = new Set(places.slice(0, to[0] === '*' ? from.length - 1 : from.length))
    const rest = words.filter((_, at) => !takenPlaces.has(at))
    return [to[0] === '*' ? rest : [...to.map(text => ({ text, sure: true })), ...rest]]
  }

  return {
    means: isMeant,
    spellings: words => {
      const wordings = [words]
      for (let at = 0; at < wordings.length && wordings.length < MOST; at++) {
        for (const more of rewritten(wordings[at] ?? []))
          if (!wordings.some(one => isEqual(one, more))) wordings.push(more)
      }
      return wordings
    },
    mayBeAlias: word => others === 'aliases' && !firstWords.has(word) && before?.test(word) !== true,
    takesNext: isValued,
    isUnordered: names.unordered === true,
  }
}

/** Returns the places of words that are neither options nor their values. */
export const operandPlaces = (words: Argv, isValued: (option: string) => boolean): readonly number[] =>
  words.flatMap(({ text }, at) => {
    const last = words[at - 1]?.text ?? ''
    const isValue = isOption(last) && !last.includes('=') && isValued(last)
    return isOption(text) || isValue ? [] : [at]
  })

const isOption = (word: string): boolean => /^-./.test(word)

/** More than any phrase of the tables expands to. */
const MOST = 20

const isEqual = (one: Argv, other: Argv): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]?.text)
