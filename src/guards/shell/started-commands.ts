import { embeddedIn } from './embedded.ts'
import { evaluatedTexts } from './evaluated-texts.ts'
import { familyName } from './family-name.ts'
import { likelyCommands, type Arg, type Argv, type LikelyCommand } from './likely-commands.ts'
import { moduleCommand } from './module-command.ts'
import { parseLine } from './parse-line.ts'
import { programName } from './program-name.ts'
import type { Script } from './script.ts'
import { innerCommand, replacedMark } from './programs/inner-command.ts'
import { holdsCommand } from './programs/wrappers.ts'
import { quoteWord } from './quote-word.ts'
import { filtersTests } from './test-filter.ts'
import { EVALUATING } from './programs/builtins.ts'
import { literalWord, readArguments, valuesOf } from './programs/read-arguments.ts'

/** Every command that a line would visibly start, and whether there may be others. */
interface StartedCommands {
  readonly commands: readonly Argv[]
  /** Arguments that may be commands or something else. */
  readonly possible: readonly Argv[]
  /** The known input of commands. */
  readonly inputs: ReadonlyMap<Argv, string>
  /** The line and each script in it. */
  readonly scripts: readonly Script[]
  /** Something runs that the line does not show: a variable for a program, a script from a pipe. */
  readonly hidden: boolean
  /** A limit was reached, so the list is incomplete. */
  readonly isCut: boolean
}

const MAX_DEPTH = 6
const MAX_COMMANDS = 5_000
/** The most arguments of an unusual program that are tried as the beginning of a command. */
const MAX_STARTS = 500

/** Follows wrappers, shells with a script, and options that start a program. */
export function startedCommands(script: Script): StartedCommands {
  const reach = {
    commands: [] as Argv[],
    possible: [] as Argv[],
    inputs: new Map<Argv, string>(),
    scripts: [script],
    isCut: false,
    renamed: new Map<string, string>(),
    hidden: hidesCommands(script),
  }
  followAll(script, reach, 0)
  return reach
}

interface Growing {
  readonly commands: Argv[]
  readonly possible: Argv[]
  readonly inputs: Map<Argv, string>
  readonly scripts: Script[]
  /** Names that are redefined from here on. */
  readonly renamed: Map<string, string>
  hidden: boolean
  isCut: boolean
}

function followAll(script: Script, reach: Growing, depth: number): void {
  const { guesses, isCut } = likelyCommands(script)
  const evaluatedLines = evaluatedTexts(script, guesses)
  if (isCut || evaluatedLines.isCut) stopAtLimit(reach)
  for (const guess of guesses) follow(guess, reach, depth)
  for (const text of evaluatedLines.texts) followScript(text, reach, depth, 'guess')
}

/** Anything may follow a limit. */
function stopAtLimit(reach: Growing): void {
  reach.hidden = true
  reach.isCut = true
}

function follow(guess: LikelyCommand, reach: Growing, depth: number): void {
  const { argv, input, pipes = [], isPartly, variables } = guess
  for (const { name, value } of [...variables, ...exportedBy(argv)])
    if (RUNS.test(name))
      for (const text of [value, settingValue(value), ...pipes]) followScript(text ?? '', reach, depth, 'guess')
  for (const [name, meaning] of redefinedNames(guess)) reach.renamed.set(name, meaning)
  if ([...variables.map(({ name }) => name), ...argv.map(({ text }) => text)].some(text => RENAMES.test(text)))
    reach.hidden = true
  const [program] = argv
  if (!program) return
  if (depth > MAX_DEPTH || reach.commands.length >= MAX_COMMANDS) {
    stopAtLimit(reach)
    return
  }
  reach.commands.push(argv)
  if (input !== undefined) reach.inputs.set(argv, input)
  if (!program.sure) reach.hidden = true
  const name = program.text === '.' ? 'source' : programName(program.text)
  const [family, ...sub] = familyName(name)
  if (family !== name)
    follow(
      { argv: [family, ...sub].map(sureOf).concat(argv.slice(1)), input, pipes, isPartly, variables: [] },
      reach,
      depth + 1,
    )
  const words = argv.map(({ text }) => text)
  followRenamed(program.text, words, reach, depth)
  const module = moduleCommand(name, words)
  if (module)
    follow(
      { argv: [sureOf(module[0] ?? ''), ...argv.slice(argv.length - module.length + 1)], variables: [] },
      reach,
      depth + 1,
    )
  const wrapper = innerCommand(name, words)
  const start = wrapper?.start
  const { commands, scripts, guesses = [], hidden } = embeddedIn(name, words, { input, pipes })
  const loose = holdsCommand(name)
  // What it would read without them it reads with parts of them.
  const isHidden = hidden || (isPartly && embeddedIn(name, words, { pipes: pipes.map(() => undefined) }).hidden)
  const isFound = loose === 'certain' || commands.length + scripts.length > 0
  // The words of the command that a wrapper starts are judged with that command.
  const isWrapper = !isFound && wrapper && !wrapper.isUncertain && (start !== undefined || wrapper.isAsked)
  const deciding = isWrapper ? argv.slice(0, (start ?? 0) + 1) : argv
  if (isHidden || ((wrapper || isFound) && deciding.some(({ sure, glob }) => !sure && !glob))) reach.hidden = true

  if (start !== undefined)
    follow({ argv: innerOf(name, argv, start, input), input, pipes, isPartly, variables: [] }, reach, depth + 1)
  if (wrapper?.isUncertain) for (let at = 1; at < argv.length; at++) reach.possible.push(argv.slice(at))
  for (const inner of commands) follow({ argv: inner.map(filledIn), variables: [] }, reach, depth + 1)
  for (const text of scripts) followScript(text, reach, depth, 'script')
  for (const text of guesses) followScript(text, reach, depth, 'guess')
  if (loose === 'none') return
  if (argv.length > MAX_STARTS) stopAtLimit(reach)
  const startList = loose === 'certain' ? reach.commands : reach.possible
  for (const [at, { text }] of argv.slice(0, MAX_STARTS).entries()) {
    if (at === 0 || filtersTests(name, words, at)) continue
    startList.push(argv.slice(at))
    if (!/\s/.test(text)) continue
    followScript(text, reach, depth, 'guess')
    const value = VALUE.exec(text)?.[1]
    if (value !== undefined) followScript(value, reach, depth, 'guess')
  }
}

/** The value in a word: `--option=value`, `ProxyCommand value`. */
const VALUE = /^-?(?:\w+=|\w+Command[ \t])([^]*)$/i

/** Follows a redefined name; within its own definition it is the program again. */
function followRenamed(name: string, words: readonly string[], reach: Growing, depth: number): void {
  const meaning = reach.renamed.get(name)
  if (meaning === undefined) return
  reach.renamed.delete(name)
  followScript([meaning, ...words.slice(1).map(quoteWord)].join(' '), reach, depth, 'guess')
  reach.renamed.set(name, meaning)
}

/** `xargs` adds words that the line may not show, or replaces a word by them. */
function innerOf(name: string, argv: Argv, start: number, input = ''): Argv {
  const inner = argv.slice(start)
  if (name !== 'xargs') return inner
  const mark = replacedMark(argv.map(({ text }) => text))
  if (mark !== undefined)
    return inner.map(arg =>
      arg.text.includes(mark) ? { text: arg.text.replaceAll(mark, () => input.trim()), sure: false } : arg,
    )
  const addedWords = input.split(/\s+/).filter(text => text !== '')
  return [
    ...inner.map(({ text, sure }) => ({ text, sure: sure && !text.includes('{}') })),
    ...(addedWords.length > 0 ? addedWords : ['']).map(text => ({ text, sure: false })),
  ]
}

/** `find` replaces braces by file names. */
const filledIn = (text: string): Arg => (text.includes('{}') ? { text: '', sure: false } : sureOf(text))

const sureOf = (text: string): Arg => ({ text, sure: true })

/**
 * Follows a text that is a script, or may be one. Only an unreadable script hides commands, not an unreadable guess.
 */
function followScript(text: string, reach: Growing, depth: number, kind: 'script' | 'guess'): void {
  const inner = parseLine(text)
  reach.scripts.push(inner)
  if (kind === 'script' && hidesCommands(inner)) reach.hidden = true
  if (depth > MAX_DEPTH) stopAtLimit(reach)
  else followAll(inner, reach, depth + 1)
}

const hidesCommands = ({ broken, doubts }: Script): boolean =>
  broken !== undefined || doubts.some(({ opaque }) => opaque)

/** Variables that define a name for a command, or a script for every shell. */
const RENAMES = /^BASH_(ALIASES|CMDS|ENV|FUNC_)/

/** Returns the value of a setting, without the mark of a command: `'core.pager=git push'`, `!git push`, `|git push`. */
const settingValue = (text: string): string =>
  text
    .replaceAll("'", '')
    .replace(/^[^=]*=/, '')
    .replace(/^[!|]/, '')

/** Returns variables that are words after `env`, `export` and similar. */
const exportedBy = ([program, ...rest]: Argv): LikelyCommand['variables'] =>
  EXPORTS.has(programName(program?.text ?? ''))
    ? rest.flatMap(({ text }) => {
        const [, name = '', value = ''] = /^([A-Za-z_]\w*)\+?=([^]*)$/.exec(text) ?? []
        return name === '' ? [] : [{ name, value }]
      })
    : []

const EXPORTS = new Set(['env', 'sudo', 'export', 'declare', 'typeset', 'local', 'readonly'])

/** Variables whose value some program runs. */
const RUNS =
  /(COMMAND|PAGER|EDITOR|VISUAL|ASKPASS|SSH|DIFF|OPEN|CLOSE|BROWSER|SHELL|HOOK|PROXY|CONFIG_VALUE|CONFIG_PARAM|^PS[0-4]$|^(BASH_)?ENV$)/

/** A name that the line redefines, and the text that it then stands for. */
type RedefinedName = readonly [name: string, meaning: string]

/** Returns the names that a command defines: `alias g=git`, `hash -p /usr/bin/git g`, `BASH_CMDS[g]=/usr/bin/git`. */
function redefinedNames({ argv, variables }: LikelyCommand): readonly RedefinedName[] {
  const [name, ...rest] = argv.map(({ text }) => text)
  return [...variables.flatMap(elementRenaming), ...commandRenamings(name, rest)]
}

function elementRenaming({ name, value }: LikelyCommand['variables'][number]): readonly RedefinedName[] {
  if (name !== 'BASH_CMDS' && name !== 'BASH_ALIASES') return []
  const [, alias = '', meaning = ''] = /\[["']?([^\]"']+)["']?\]\+?=([^]*)$/.exec(value) ?? []
  return alias === '' ? [] : [[alias, meaning]]
}

function commandRenamings(name: string | undefined, rest: readonly string[]): readonly RedefinedName[] {
  if (name === 'builtin' || name === 'command') return commandRenamings(rest[0], rest.slice(1))
  if (name === 'alias') return rest.flatMap(aliasRenaming)
  const hash = EVALUATING.get('hash')
  if (name !== 'hash' || !hash) return []
  const reading = readArguments(hash, ['hash', ...rest].map(literalWord))
  const meaning = valuesOf(reading, '-p').at(-1)?.word.source
  return meaning === undefined ? [] : reading.operands.map(({ word }) => [word.source, meaning])
}

function aliasRenaming(word: string): readonly RedefinedName[] {
  const at = word.indexOf('=')
  return at > 0 ? [[word.slice(0, at), word.slice(at + 1)]] : []
}
