import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'
import { languageOf } from '../../../languages/registry.ts'
import { dashedValues } from '../dashed-values.ts'
import type { Here } from '../find-workspace.ts'
import { readAll } from '../read-all.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage.ts'
import type { Parameter } from './parameters.ts'
import type { ToolCommand } from '../../../kernel/tool-command.ts'
import { usageLines } from './usage-line.ts'
import { formatOption, valueOf } from './value-of.ts'

/** A typed command: its option values and its positional words. */
export interface Typed {
  readonly name: string
  readonly command: ToolCommand
  readonly parameters: readonly Parameter[]
  readonly values: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
  /** The words follow `--`. */
  readonly isProgram: boolean
}

/** Returns the parser configuration for a command's options. */
export const parsedOptions = (parameters: readonly Parameter[]): ParseArgsOptionsConfig =>
  Object.fromEntries(
    parameters.map(({ option, kind, value }) => [
      option,
      { type: value === undefined ? 'boolean' : 'string', ...(kind === 'list' && { multiple: true }) },
    ]),
  )

/** Texts may begin with a dash: no option can stand where a text is due. */
export const withDashedTexts = (args: readonly string[], parameters: readonly Parameter[]): readonly string[] =>
  dashedValues(
    args,
    Object.fromEntries(parameters.filter(({ kind }) => kind === 'text').map(({ option }) => [option, option])),
  )

/** Builds the tool's input from the typed command. Reads a file or standard input for a text that comes from there. */
export async function readInput(typedCommand: Typed, here: Here, terminal: Terminal): Promise<Record<string, unknown>> {
  const { command } = typedCommand
  const optionValues = optionsOf(typedCommand, terminal)
  const input: Record<string, unknown> = { ...command.fixed }
  const item: Record<string, unknown> = {}
  for (const [parameter, value] of optionValues) (parameter.item === undefined ? input : item)[parameter.key] = value
  if (command.item !== undefined && Object.keys(item).length > 0) {
    if (command.item in input)
      throw new UsageError(`--${command.item} stands for all edits: leave out ${spelledOf(item)}`, typedCommand.name)
    input[command.item] = [item]
  }
  Object.assign(input, wordsOf(typedCommand))
  splitPlace(typedCommand, input)
  await addText(typedCommand, input, terminal)
  ensureRequired(typedCommand, input, item)
  place(command, input, here)
  return input
}

const spelledOf = (item: object): string =>
  Object.keys(item)
    .map(key => `--${key}`)
    .join(', ')

/** Returns every option with a value, positional ones first. */
function optionsOf(typed: Typed, terminal: Terminal): ReadonlyMap<Parameter, unknown> {
  const { name, command, parameters, values } = typed
  const optionValues = new Map<Parameter, unknown>()
  const words = command.words ? [] : assignWords(typed, terminal)
  for (const [at, word] of words.entries()) {
    const option = command.positionals[at]
    const parameter = parameters.find(one => one.option === option)
    if (!parameter)
      throw new UsageError(`'${name}' takes no argument '${word}': ${usageLines(name, command, parameters)[0]}`, name)
    if (word !== undefined) optionValues.set(parameter, typedValue(parameter, word, typed, terminal))
  }
  for (const parameter of parameters) {
    const value = values[parameter.option]
    if (value === undefined) continue
    if (optionValues.has(parameter)) throw new UsageError(`${formatOption(parameter)} is given twice`, name)
    optionValues.set(parameter, typedValue(parameter, value, typed, terminal))
  }
  return optionValues
}

/** Assigns words in the order of the table. A first word that neither is nor looks like a file is a symbol's name. */
function assignWords({ command, words }: Typed, { cwd }: Terminal): readonly (string | undefined)[] {
  const [first] = words
  if (command.orName === undefined || first === undefined || words.length > 1) return words
  const isPath = first.includes('/') || isThere(resolve(cwd, first)) || languageOf(first) !== undefined
  return isPath ? words : [undefined, first]
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

function typedValue(parameter: Parameter, value: unknown, { name }: Typed, { cwd }: Terminal): unknown {
  if (parameter.kind === 'negation') return false
  if (typeof value !== 'string') return value
  if (parameter.kind !== 'file') return valueOf(parameter, value, name)
  return value === '-' ? STANDARD_INPUT : textOf(resolve(cwd, value), value, name)
}

const STANDARD_INPUT = Symbol('standard input')

function textOf(path: string, typed: string, command: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new UsageError(`Cannot read '${typed}' (${code}); give a file that exists, or - for standard input`, command)
  }
}

/** `run 'npm test'` is a line for the shell, `run -- npm test` a program with its arguments. */
function wordsOf({ command: { words: keys }, words, isProgram }: Typed): object {
  if (!keys || words.length === 0) return {}
  return words.length === 1 && !isProgram ? { [keys.line]: words[0] } : { [keys.list]: words }
}

function splitPlace({ name, command, parameters }: Typed, input: Record<string, unknown>): void {
  const { place: keys } = command
  if (!keys || keys.line in input) return
  const [, path, line] = /^(.+):(\d+)(?::\d+)?$/.exec(String(input[keys.path] ?? '')) ?? []
  const parameter = parameters.find(({ key }) => key === keys.line)
  if (path === undefined || line === undefined || !parameter) return
  input[keys.path] = path
  input[keys.line] = valueOf(parameter, line, name)
}

async function addText({ name, command }: Typed, input: Record<string, unknown>, terminal: Terminal): Promise<void> {
  const { text } = command
  if (!text) return
  const isFromInput = input[text.key] === STANDARD_INPUT
  const isOpen = text.orInput === true && !(text.key in input) && !(text.unless !== undefined && text.unless in input)
  if (!isFromInput && !isOpen) return
  const stdinText = isOpen && terminal.stdin.isTTY ? undefined : await readAll(terminal.stdin)
  if (stdinText === undefined || (stdinText === '' && isOpen && !text.mayBeEmpty))
    throw new UsageError(
      `'${name}' needs its ${text.key}: give --${text.key} TEXT, --${text.key}-file FILE, or standard input`,
      name,
    )
  input[text.key] = stdinText
}

function ensureRequired({ name, command, parameters }: Typed, input: object, item: object): void {
  const isWhole = command.item !== undefined && command.item in input && Object.keys(item).length === 0
  const isGiven = ({ key, item: list }: Parameter): boolean =>
    list === undefined ? key in input : isWhole || key in item
  const missing = parameters.find(parameter => parameter.required && !isGiven(parameter))
  if (!missing) return
  const isWord = command.positionals.includes(missing.option)
  const what = isWord ? missing.value : `${formatOption(missing)} ${missing.value ?? ''}`.trim()
  throw new UsageError(`'${name}' needs ${what}: ${usageLines(name, command, parameters)[0]}`, name)
}

/** Converts paths from the current directory to the workspace. */
function place(command: ToolCommand, input: Record<string, unknown>, here: Here): void {
  const { paths = [], pathWhen, here: current, words } = command
  const isCommand = !words || words.line in input || words.list in input
  for (const key of paths) {
    const path = input[key]
    if (typeof path === 'string') input[key] = here.typed(path)
    else if (key === current && isCommand && here.path !== '.') input[key] = here.path
  }
  if (!pathWhen || input[pathWhen.other] !== pathWhen.is) return
  const path = input[pathWhen.key]
  if (typeof path === 'string') input[pathWhen.key] = here.typed(path)
}
