import { embeddedIn } from './embedded.ts'
import { evaluatedTexts } from './evaluated-texts.ts'
import { familyName } from './family-name.ts'
import { guessAll, type Arg, type Argv, type Guess } from './guess.ts'
import { parseLine } from './parse-line.ts'
import { programName } from './program-name.ts'
import type { Script } from './script.ts'
import { innerStart, looseness, wrapperOf } from './wrapper.ts'

/** Every command that a line would start as far as it can be seen, and whether there may be others. */
export interface Reach {
  readonly commands: readonly Argv[]
  /** Arguments that may be commands as well as something else. */
  readonly possible: readonly Argv[]
  /** What commands read, where that is known. */
  readonly inputs: ReadonlyMap<Argv, string>
  /** Something runs that the line does not show: a variable for a program, a script from a pipe. */
  readonly hidden: boolean
}

const MAX_DEPTH = 6
const MAX_COMMANDS = 5_000
/** Arguments of a program with ways of its own that are tried as the beginning of a command. */
const MAX_STARTS = 50

/** Follows wrappers, shells with a script, and options that start a program. */
export function reachOf(script: Script): Reach {
  const reach = {
    commands: [] as Argv[],
    possible: [] as Argv[],
    inputs: new Map<Argv, string>(),
    hidden: script.broken !== undefined || script.doubts.some(({ opaque }) => opaque),
  }
  followAll(script, reach, 0)
  return reach
}

interface Growing {
  readonly commands: Argv[]
  readonly possible: Argv[]
  readonly inputs: Map<Argv, string>
  hidden: boolean
}

function followAll(script: Script, reach: Growing, depth: number): void {
  const guesses = guessAll(script)
  for (const guess of guesses) follow(guess, reach, depth)
  for (const text of evaluatedTexts(script, guesses)) followScript(text, reach, depth, 'guess')
}

function follow({ argv, input, pipes = [], variables }: Guess, reach: Growing, depth: number): void {
  for (const { name, value } of variables)
    if (RUNS.test(name)) for (const text of [value, ...pipes]) followScript(text ?? '', reach, depth, 'guess')
  const [program] = argv
  if (!program) return
  if (depth > MAX_DEPTH || reach.commands.length >= MAX_COMMANDS) {
    reach.hidden = true
    return
  }
  reach.commands.push(argv)
  if (input !== undefined) reach.inputs.set(argv, input)
  if (!program.sure) reach.hidden = true
  const name = program.text === '.' ? 'source' : programName(program.text)
  const [family, ...sub] = familyName(name)
  if (family !== name)
    follow({ argv: [family, ...sub].map(sureOf).concat(argv.slice(1)), input, pipes, variables: [] }, reach, depth + 1)
  const words = argv.map(({ text }) => text)
  const wrapper = wrapperOf(name)
  const start = wrapper && innerStart(wrapper, words)
  const { commands, scripts, guesses = [], hidden } = embeddedIn(name, words, { input, pipes })
  const loose = looseness(name)
  const runsOthers = wrapper !== undefined || loose === 'certain' || commands.length + scripts.length > 0
  if (hidden || (runsOthers && argv.some(({ sure, glob }) => !sure && !glob))) reach.hidden = true

  if (start !== undefined)
    follow({ argv: innerOf(name, argv, start, input), input, pipes, variables: [] }, reach, depth + 1)
  for (const inner of commands) follow({ argv: inner.map(filledIn), variables: [] }, reach, depth + 1)
  for (const text of scripts) followScript(text, reach, depth, 'script')
  for (const text of guesses) followScript(text, reach, depth, 'guess')
  if (loose === 'none') return
  const found = loose === 'certain' ? reach.commands : reach.possible
  for (let at = 1; at < Math.min(argv.length, MAX_STARTS); at++) found.push(argv.slice(at))
  for (const { text } of argv.slice(1, MAX_STARTS)) {
    if (!/\s/.test(text)) continue
    followScript(text, reach, depth, 'guess')
    if (/^-?\w+=/.test(text)) followScript(text.slice(text.indexOf('=') + 1), reach, depth, 'guess')
  }
}

/** `xargs` adds words that the line may not show, or puts them in the place of a word. */
function innerOf(name: string, argv: Argv, start: number, input = ''): Argv {
  const inner = argv.slice(start)
  if (name !== 'xargs') return inner
  const at = argv.findIndex(({ text }) => text === '-I')
  const mark = argv[at + 1]?.text || '{}'
  if (at > 0 && at < start)
    return inner.map(arg =>
      arg.text.includes(mark) ? { text: arg.text.replaceAll(mark, () => input.trim()), sure: false } : arg,
    )
  const added = input.split(/\s+/, MAX_STARTS).filter(text => text !== '')
  return [
    ...inner.map(({ text, sure }) => ({ text, sure: sure && !text.includes('{}') })),
    ...(added.length > 0 ? added : ['']).map(text => ({ text, sure: false })),
  ]
}

/** `find` puts the names of files in the place of braces. */
const filledIn = (text: string): Arg => (text.includes('{}') ? { text: '', sure: false } : sureOf(text))

const sureOf = (text: string): Arg => ({ text, sure: true })

/** Follows a text that is a script, or may be one: only then does it matter that it cannot be read. */
function followScript(text: string, reach: Growing, depth: number, kind: 'script' | 'guess'): void {
  const inner = parseLine(text)
  if (inner.broken !== undefined && kind === 'script') reach.hidden = true
  if (depth > MAX_DEPTH) reach.hidden = true
  else followAll(inner, reach, depth + 1)
}

/** Variables whose value some program runs. */
const RUNS =
  /(COMMAND|PAGER|EDITOR|VISUAL|ASKPASS|SSH|DIFF|OPEN|CLOSE|BROWSER|SHELL|HOOK|PROXY|^PS[0-4]$|^(BASH_)?ENV$)/
