import type { Concern } from '../concern.ts'
import type { Word } from '../script.ts'
import type { Reading } from './reading.ts'

/** Returns why a text is not harmless; undefined if it is. */
export type Check = (text: string) => string | undefined

/**
 * The options and operands of a program, from its manual. A rule that allows the program covers `flags` and `options`;
 * every other option asks, abbreviations included.
 *
 * Options are listed as typed, with a mark for each value:
 * - `--all` none, `--width=` a text, `--arg==` two texts
 * - `--from@` a file to read, `--output>` a file to write, `--pre!` a command to run
 * - `--color?` a text only if joined, `--merged%` a text unless the option is the last word
 * - `-b#` a number that further letters may follow, `-m$` a text after which every word is an operand
 */
export interface Program {
  /** Its effect with covered arguments: only reads files, writes them, or runs code of the workspace. */
  readonly does: 'read' | 'write' | 'run'
  /** Letters without a value: `ls -la`. */
  readonly flags?: string
  readonly options?: string
  /** Options that run a program, write a file or lead elsewhere; listed so that their values are not operands. */
  readonly risky?: string
  /** `letters`: `-la` is `-l -a`. `words`: `-name` is one option. */
  readonly style?: 'letters' | 'words'
  /** Options of another shape: `head -5`. */
  readonly shapes?: RegExp
  /** Returns the listed form of an option spelled in another case or with another number of dashes. */
  readonly spelling?: (name: string) => string
  /** Its letters take their value only from the next word. */
  readonly separate?: true
  /** A word that begins with a dash is an option, even in the position of a value. */
  readonly dashedIsOption?: true
  /** Options end at the first operand. */
  readonly optionsFirst?: true
  /** `--` does not end the options. */
  readonly endless?: true
  /** What operands are. `anything` is not checked, not even for options. */
  readonly operands: 'none' | 'files' | 'texts' | 'text-then-files' | 'anything'
  /** The program would write to a further operand. */
  readonly most?: number
  /** Options that provide the text, so that every operand is a file. */
  readonly textBy?: string
  /** No option of the program is harmful, so a pattern may match names that look like options. */
  readonly free?: true
  /** Checks operands that are texts. */
  readonly check?: Check
  /** Checks the values of options, by name. */
  readonly checks?: Readonly<Record<string, Check>>
  /** Checks the whole command. */
  readonly judge?: (reading: Reading, words: readonly Word[]) => readonly Concern[]
  /** Normalizes other spellings of the arguments: `tar tf`. */
  readonly rewrite?: (words: readonly Word[]) => readonly Word[]
  /** Subcommands by the first operand. */
  readonly subcommands?: ReadonlyMap<string, Program>
  /** For every other first operand, such as the name of a script. */
  readonly otherwise?: Program
  /** Why a rule must spell the whole command. */
  readonly asks?: string
  /** The form that only reads, if there are others. */
  readonly reading?: Program
  /** What a rule for this subcommand covers, if less than a rule for the program. */
  readonly narrow?: Program
}

/** The subcommand names of a program. A rule that asks or denies applies to every name the program accepts. */
export interface SubcommandNames {
  /** Names that are no alias. */
  readonly own?: string
  /** Aliases by subcommand: `'i, in'` for `install`, `image push` for `push`; `*` is any word. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Accepts abbreviations: of subcommands only, or also of the words after them. */
  readonly abbreviates?: 'subcommands' | 'everything'
  /** `distTag` is `dist-tag`. */
  readonly camelCase?: true
  /** What any other name is: an alias from a configuration file, or a script, as after `run`. */
  readonly others?: 'aliases' | 'scripts'
  /** Words before the subcommand that do not look like options: `cargo +nightly test`. */
  readonly before?: RegExp
  /** Each operand is a separate task, in any order: `make all deploy`. */
  readonly unordered?: true
  /** Options with a value, in the form of `Program`, for programs without a table. */
  readonly options?: string
}

/** All names of each option with several, and the mark of its value as in `Program`: `-o/--output>`. */
export type OptionNames = string

/** Builds a table of programs, each under all of its names. */
export const programs = <Kind extends Program = Program>(
  table: Readonly<Record<string, NoInfer<Kind>>>,
): ReadonlyMap<string, Kind> =>
  new Map(Object.entries(table).flatMap(([names, program]) => names.split(' ').map(name => [name, program] as const)))

/** Removes options that have another meaning here. */
export const without = (options: string, ...names: readonly string[]): string =>
  options
    .split(/\s+/)
    .filter(token => !names.includes(token.replace(/[=@>!?#%$]+$/, '')))
    .join(' ')
