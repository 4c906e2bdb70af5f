import { weakest, type Fit } from './rule-fit.ts'
import type { OptionTable } from './programs/option-table.ts'
import { literalWord, readArguments } from './programs/read-arguments.ts'
import type { Reading } from './programs/reading.ts'

/** Options as a program takes them, in any spelling. */
export interface Options {
  readonly known: readonly KnownOption[]
  /** As they are written. */
  readonly unknown: readonly string[]
}

interface KnownOption {
  readonly name: string
  /** The option and those that it stands for, each under one of its names. */
  readonly parts: readonly string[]
  readonly values: readonly string[]
}

/** Reads the options after a program and after its subcommand, which may end its own options. */
export function readOptions(table: OptionTable, argv: readonly string[]): Options {
  const words = table.rewrite(argv.map(literalWord))
  if (!table.hasSubcommand) return toOptions(table, [readArguments(table.program, words)])
  const before = readArguments({ ...table.program, optionsFirst: true }, words)
  const start = before.operands[0]?.at ?? words.length
  return toOptions(table, [before, readArguments(table.program, words.slice(start))])
}

export const toOptions = (table: OptionTable, readings: readonly Reading[]): Options => ({
  known: readings.flatMap(({ options }) =>
    options.map(({ name, values }) => ({
      name,
      parts: table.partsOf(name),
      values: values.map(({ word }) => table.valueOf(word.source)),
    })),
  ),
  unknown: readings.flatMap(({ unknown }) => unknown),
})

/** Reports whether all options that a rule names are given. An unknown option may be any of them. */
export const optionsFit = (table: OptionTable, ruleOptions: Options, commandOptions: Options): Fit =>
  weakest([
    ...ruleOptions.known.map(option => knownFit(table, option, commandOptions)),
    ...ruleOptions.unknown.map(option => unknownFit(table, option, commandOptions)),
  ])

function knownFit(table: OptionTable, { name, parts, values }: KnownOption, given: Options): Fit {
  const isGiven = (part: string): boolean =>
    given.known.some(
      one =>
        one.parts.includes(part) &&
        values.every((value, at) => one.values[at] === undefined || one.values[at] === value),
    )
  const [usual = name, ...inner] = parts
  if (isGiven(usual)) return 'whole'
  const leaves = inner.filter(part => table.partsOf(part).length === 1)
  if (leaves.length > 0 && leaves.every(isGiven)) return 'whole'
  // An unknown letter may be followed by others, or by its value.
  if (isLetter(name) && bundles(table, given).some(letters => letters.includes(name.slice(1)))) return 'whole'
  return otherFit(table, name, given)
}

function unknownFit(table: OptionTable, option: string, given: Options): Fit {
  if (given.unknown.some(one => isSpelling(one, option))) return 'whole'
  // Longer ones are words of their own: java -jar.
  const isBundle = /^-[^-].{0,2}$/.test(option) && table.program.style !== 'words'
  const letters = new Set(
    [...bundles(table, given), ...given.known.filter(({ name }) => isLetter(name)).map(({ name }) => name)].join(''),
  )
  if (isBundle && Array.from(option.slice(1)).every(letter => letters.has(letter))) return 'whole'
  return otherFit(table, option, given)
}

/** Many programs accept an abbreviated long option. */
function isSpelling(text: string, option: string): boolean {
  if (text === option) return true
  const [name = '', value] = text.split(/=(.*)/s)
  const [fullName = '', wantedValue = value] = option.split(/=(.*)/s)
  return /^--./.test(name) && fullName.startsWith(name) && value === wantedValue
}

/** No option is known to be the one; returns whether all are known to be others. */
function otherFit(table: OptionTable, wanted: string, { known, unknown }: Options): Fit {
  if (unknown.length > 0) return 'near'
  const isOther = ({ name }: KnownOption): boolean => table.isWhole || isLong(wanted) === isLong(name)
  return known.every(isOther) ? 'none' : 'near'
}

const bundles = ({ program }: OptionTable, { unknown }: Options): readonly string[] =>
  program.style === 'words' ? [] : unknown.filter(text => !text.startsWith('--'))

/** Some programs take one dash for two. */
const isLong = (option: string): boolean => /^--?[^-]./.test(option)

const isLetter = (option: string): boolean => /^-[^-]$/.test(option)
