import type { Concern } from '../concern.ts'
import type { Word } from '../script.ts'
import type { Reading } from './reading.ts'

/** Looks at a text; says what is wrong with it. */
export type Check = (text: string) => string | undefined

/**
 * What is known of a program: its options and operands, as its manual has them. A rule that allows the program covers what stands
 * in `flags` and `options`; every other option asks, abbreviations included.
 *
 * Options are listed as they are typed, with a mark for each value: `--all` has none, `--width=` a text, `--from@` a file that it
 * reads, `--output>` a file that it writes, `--pre!` a command that it runs, `--color?` a text that is there only if joined,
 * `--merged%` one that is there unless the option is the last word, `-b#` a number behind which further letters may follow, `--arg==` two texts, `-m$` a text behind
 * which everything is an operand.
 */
export interface Program {
  /** What it does to files with covered arguments: only reads them, writes them, or runs what the workspace says. */
  readonly does: 'read' | 'write' | 'run'
  /** Letters without a value: `ls -la`. */
  readonly flags?: string
  readonly options?: string
  /** Options that run a program, write a file or lead elsewhere. They are listed so that their values are not taken for operands. */
  readonly risky?: string
  /** `letters`: `-la` is `-l -a`. `words`: `-name` is one option. */
  readonly style?: 'letters' | 'words'
  /** Options of another shape: `head -5`. */
  readonly shapes?: RegExp
  /** Options that another case or another number of dashes spells, in the form of the list. */
  readonly spelling?: (name: string) => string
  /** Its letters take their value from the next word alone. */
  readonly separate?: true
  /** A word that begins with a dash is an option, even where a value should stand. */
  readonly dashedIsOption?: true
  /** Options end at the first operand. */
  readonly optionsFirst?: true
  /** `--` does not end the options. */
  readonly endless?: true
  /** What operands are; `anything` is not looked at, not even for options. */
  readonly operands: 'none' | 'files' | 'texts' | 'text-then-files' | 'anything'
  /** A further operand would be written. */
  readonly most?: number
  /** Options that give the text, so that every operand is a file. */
  readonly textBy?: string
  /** No option of the program does harm, so that operands may be whatever a pattern finds. */
  readonly free?: true
  /** A look at operands that are texts. */
  readonly check?: Check
  /** A look at the values of options, by their names. */
  readonly checks?: Readonly<Record<string, Check>>
  /** A look at everything together. */
  readonly judge?: (reading: Reading, words: readonly Word[]) => readonly Concern[]
  /** Brings other spellings of the arguments into the usual one: `tar tf`. */
  readonly rewrite?: (words: readonly Word[]) => readonly Word[]
  /** The first operand chooses one of these. */
  readonly subcommands?: ReadonlyMap<string, Program>
  /** What every other first operand is: the name of a script. */
  readonly otherwise?: Program
  /** Why no rule covers it that does not spell all of it. */
  readonly asks?: string
  /** Its form that only reads, where it has others. */
  readonly reading?: Program
  /** What a rule that names this subcommand covers, where that is less than a rule for the program does. */
  readonly narrow?: Program
}

/** What a program calls its subcommands. Rules that ask or deny hold for every name that the program itself takes for theirs. */
export interface SubcommandNames {
  /** Names of its own that stand for no other. */
  readonly own?: string
  /** Other spellings, each list with what it stands for: `'i, in'` for `install`, `image push` for `push`; `*` is any word. */
  readonly aliases?: Readonly<Record<string, string>>
  /** It takes the beginning of a name for all of it: of its subcommands alone, or of the words behind them too. */
  readonly abbreviates?: 'subcommands' | 'everything'
  /** `distTag` is `dist-tag`. */
  readonly camelCase?: true
  /** What every other name is: an alias that a configuration file defines, or the name of a script, as behind `run`. */
  readonly others?: 'aliases' | 'scripts'
  /** Words before the subcommand that are no option by their look: `cargo +nightly test`. */
  readonly before?: RegExp
  /** Each operand is one thing to do, whatever their order: `make all deploy`. */
  readonly unordered?: true
  /** Options with a value, in the form of `Program`, for programs without a table. */
  readonly options?: string
}

/**
 * Every name of each option that has several, with the mark of its value as in `Program`: `-o/--output>`. An option that
 * stands alone has no other name.
 */
export type OptionNames = string

/** A table of programs, each under all of its names. */
export const programs = <Kind extends Program = Program>(
  table: Readonly<Record<string, NoInfer<Kind>>>,
): ReadonlyMap<string, Kind> =>
  new Map(Object.entries(table).flatMap(([names, program]) => names.split(' ').map(name => [name, program] as const)))

/** Options without these, which mean something else here. */
export const without = (options: string, ...names: readonly string[]): string =>
  options
    .split(/\s+/)
    .filter(token => !names.includes(token.replace(/[=@>!?#%$]+$/, '')))
    .join(' ')
