import type { Word } from '../script.ts'
import { optionNamesOf } from './option-names.ts'
import { without, type Program } from './program.ts'
import { programOf } from './programs.ts'
import { optionsOf } from './read-arguments.ts'
import { SHELLS } from './shells.ts'
import { SENDS_SIGNALS, signalName, withSignal } from './signals.ts'
import { wrapperOf } from './wrappers.ts'

/** How rules that ask or deny read a program's options: by every name of each option. */
export interface OptionTable {
  /** Reads all options of the program and its subcommand, in any position. */
  readonly program: Program
  /** The subcommand has options of its own. */
  readonly hasSubcommand: boolean
  /** All names of these options are known, so two different names are two options. */
  readonly isWhole: boolean
  /** Returns an option and those that it implies, each under one name. */
  partsOf(name: string): readonly string[]
  /** Normalizes another spelling of the arguments. */
  rewrite(words: readonly Word[]): readonly Word[]
  /** Returns the same text for every spelling of a value. */
  valueOf(text: string): string
}

const UNKNOWN: Program = { does: 'run', operands: 'texts' }

const tablesByKey = new Map<string, OptionTable>()

/** Returns the options of a program, with those of the subcommand if the word is one. */
export function optionTable(name: string, subcommand = ''): OptionTable {
  const key = `${name} ${subcommand}`
  const programTable = tablesByKey.get(key) ?? compile(name, subcommand)
  if (tablesByKey.size < MOST) tablesByKey.set(key, programTable)
  return programTable
}

/** Bounds the cache: rules name few subcommands, but a command may have any word in that position. */
const MOST = 1_000

function compile(name: string, subcommand: string): OptionTable {
  const base = programOf(name) ?? wrapperOf(name) ?? SHELLS.get(name) ?? UNKNOWN
  const inner = base.subcommands && subcommand !== '' ? (base.subcommands.get(subcommand) ?? base.otherwise) : undefined
  const { groups, shorthands, isWhole } = optionNamesOf(name, subcommand)
  // Options before a git subcommand do not belong to it.
  const mergedProgram = inner && name !== 'git' ? mergePrograms(base, inner) : (inner ?? base)
  const knownOptions = new Set(optionsOf(mergedProgram))
  const newOptions = groups.flatMap(({ names, mark }) =>
    names.filter(one => !knownOptions.has(one)).map(one => `${one}${mark}`),
  )
  const program: Program = {
    ...mergedProgram,
    operands: 'texts',
    // Options of any shape cannot be listed.
    ...(mergedProgram.shapes?.test('-') && { shapes: /^(?!)/ }),
    options: [mergedProgram.options ?? '', ...new Set(newOptions)].join(' '),
  }
  const usual = new Map<string, string>()
  for (const { names } of groups) for (const one of names) if (!usual.has(one)) usual.set(one, names.at(-1) ?? one)
  const nameOf = (one: string): string => usual.get(one) ?? one
  const standsFor = new Map(Object.entries(shorthands).map(([one, others]) => [nameOf(one), others.split(' ')]))
  const partsOf = (one: string): readonly string[] => {
    const parts = standsFor.get(nameOf(one)) ?? []
    return [nameOf(one), ...parts.flatMap(partsOf)]
  }
  const hasSignals = SENDS_SIGNALS.has(name)
  return {
    program,
    hasSubcommand: name !== 'git' && (base.subcommands !== undefined || name === 'pip'),
    isWhole,
    partsOf,
    rewrite: words => (hasSignals ? withSignal(words) : (mergedProgram.rewrite?.(words) ?? words)),
    valueOf: text => (hasSignals ? signalName(text) : text),
  }
}

/** Merges the options of a program and its subcommand. The subcommand may redefine a letter. */
function mergePrograms(base: Program, inner: Program): Program {
  const innerOptions = optionsOf(inner)
  const flags = Array.from(base.flags ?? '').filter(letter => !innerOptions.includes(`-${letter}`))
  return {
    ...inner,
    flags: `${inner.flags ?? ''}${flags.join('')}`,
    options: `${without(base.options ?? '', ...innerOptions)} ${inner.options ?? ''}`,
    risky: `${without(base.risky ?? '', ...innerOptions)} ${inner.risky ?? ''}`,
  }
}
