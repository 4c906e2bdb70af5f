import { isShell } from './embedded.ts'
import { isControl } from './control-words.ts'
import { staysInside } from './stays-inside.ts'
import { subcommandAt } from './programs/git.ts'
import { innerCommand } from './programs/inner-command.ts'
import { EVALUATING } from './programs/builtins.ts'
import type { Program } from './programs/program.ts'
import { programOf } from './programs/programs.ts'
import { has, readArguments } from './programs/read-arguments.ts'
import { literalOf, type Script, type Simple, type Word } from './script.ts'

/** A command that may obey its input, and why. */
interface InputConcern {
  readonly command: Simple
  readonly what: string
}

/**
 * Returns the commands of a line that are not known to treat their input as data. A rule for such a command does not
 * cover what the caller types to it: `!id` in a pager, `.shell id` in a database. Pipes are no obstacle, because every
 * command can open the terminal.
 */
export const inputConcerns = ({ commands }: Script): readonly InputConcern[] =>
  commands.flatMap(command => {
    const what = command.isCall || isControl(command) ? undefined : concernOf(command.words)
    return what === undefined ? [] : [{ command, what }]
  })

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Programs with a table that are controlled by keys, or run what they read. */
const STEERED = names('less more vim vi nvim view man ssh sqlite3 top deno osascript expect')

function concernOf(words: readonly Word[]): string | undefined {
  const [first] = words
  if (!first) return undefined
  const name = literalOf(first) ?? ''
  const program = programOf(name)
  if (program && !STEERED.has(name)) return tableConcern(name, program, words)
  if (EVALUATING.has(name)) return undefined
  if (isShell(name)) return literalOf(words[1] ?? first)?.startsWith('-') || !words[1] ? commands(name) : undefined
  const texts = words.map(word => literalOf(word) ?? '')
  const inner = innerCommand(name, texts)
  if (inner && name === 'xargs') return 'xargs makes arguments of its input'
  if (inner) return inner.start === undefined ? undefined : concernOf(words.slice(inner.start))
  // It is the workspace's own, and the rule names it.
  return name.includes('/') && staysInside(name) ? undefined : commands(name)
}

const commands = (name: string): string => `'${name}' may take commands from its input`

/** Programs whose options read data from a file; those of others may read a program, options or names. */
const READS_DATA = names('cat grep egrep fgrep rg jq git diff comm join paste')

const STREAM = /^(-|\/dev\/(stdin|fd\/\d+|tty)|\/proc\/.*)$/

function tableConcern(name: string, program: Program, words: readonly Word[]): string | undefined {
  if (name === 'git') return gitConcern(words)
  const { options, operands } = readArguments(program, program.rewrite?.(words) ?? words)
  const isStream = (word: Word): boolean => STREAM.test(literalOf(word) ?? '')
  const isRun = program.does === 'run'
  const isFollowed = options.some(({ kinds, values }) =>
    values.some(({ word }, at) => kinds[at] === '@' && isStream(word)),
  )
  if (isFollowed && !READS_DATA.has(name)) return commands(name)
  if (isRun && operands.some(({ word }) => isStream(word))) return commands(name)
  return name === 'node' && literalOf(operands[0]?.word ?? words[0] ?? NO_WORD) === 'inspect'
    ? commands(name)
    : undefined
}

const NO_WORD: Word = { source: '', pieces: [], brace: false }

/** Options that provide what an editor would be opened for. */
const SAID = ['-m', '-F', '-C', '--message', '--file', '--reuse-message', '--no-edit', '--dry-run', '--abort', '--quit']

/** Subcommands that open an editor, and with it anything that it can start, unless they get their text. */
const EDITS = names('commit merge rebase revert cherry-pick tag pull')

function gitConcern(words: readonly Word[]): string | undefined {
  const at = subcommandAt(words.map(word => literalOf(word) ?? ''))
  const sub = literalOf(words[at] ?? NO_WORD) ?? ''
  const table = programOf('git')?.subcommands?.get(sub)
  if (!table) return commands(`git ${sub}`)
  if (table.does === 'read' || !EDITS.has(sub)) return undefined
  const reading = readArguments(table, words.slice(at))
  if (has(reading, ...SAID)) return undefined
  if (sub === 'tag' && !has(reading, '-a', '--annotate')) return undefined
  return `'git ${sub}' may open an editor, which takes commands from its input`
}
