import { printedText } from './printed-text.ts'
import { isList, literalOf, type Piece, type Script, type Simple, type Word } from './script.ts'

/** A word of a command as a deny rule sees it: the likeliest text, and whether it is certain. */
export interface Arg {
  readonly text: string
  readonly sure: boolean
  /** It differs from its text only if the text is a glob for a file name: `/bin/r?`. */
  readonly glob?: true
}

export type Argv = readonly Arg[]

/** A command with its most likely words, and the script that it would read from its input. */
export interface LikelyCommand {
  readonly argv: Argv
  readonly input?: string | undefined
  /** The text of the pipes among its words; undefined if unknown. */
  readonly pipes?: readonly (string | undefined)[] | undefined
  /** Its input or a pipe has a part that the line does not show; the text leaves that out. */
  readonly isPartly?: true | undefined
  readonly variables: readonly { readonly name: string; readonly value: string }[]
}

/** More than the longest line has, unless braces and variables multiply them. */
const MAX_WORDS = 30_000
/** Variables built from each other grow without end. */
const MAX_TEXT = 20_000

interface LikelyCommands {
  readonly guesses: readonly LikelyCommand[]
  /** A limit was reached, so the list is incomplete. */
  readonly isCut: boolean
}

/** The values of variables at a place. */
interface Known {
  readonly values: Map<string, string>
  readonly limit: { reached: boolean }
}

/**
 * Returns the likeliest words of every command. Fills in variables that the line sets, and takes others for empty. Then
 * come the commands of functions with the arguments of each call.
 */
export function likelyCommands({ commands, functions }: Pick<Script, 'commands' | 'functions'>): LikelyCommands {
  const startState: Known = { values: new Map([['IFS', ' ']]), limit: { reached: false } }
  const bodies = Map.groupBy(functions, ({ name }) => name)
  const calls: LikelyCommand[] = []
  const call = ([program, ...rest]: Argv, around: readonly string[]): void => {
    const functionBodies = (program && bodies.get(program.text)) ?? []
    const key = JSON.stringify([program, ...rest])
    // The same call within itself starts nothing new.
    if (functionBodies.length === 0 || around.includes(key)) return
    if (around.length > MAX_CALLS || calls.length > MAX_CALLED) {
      startState.limit.reached = true
      return
    }
    const within = { ...startState, values: new Map(startState.values) }
    for (const { body } of functionBodies) {
      setArguments(within, rest)
      for (const command of body) {
        const guess = guessOne(command, within)
        calls.push(guess)
        call(guess.argv, [...around, key])
      }
    }
  }
  const guesses = commands.map(command => {
    const guess = guessOne(command, startState)
    if (bodies.size > 0) call(guess.argv, [])
    return guess
  })
  return { guesses: [...guesses, ...calls], isCut: startState.limit.reached }
}

/** How deep and how often function calls are followed. */
const MAX_CALLS = 4
const MAX_CALLED = 1_000

function guessOne(command: Simple, known: Known): LikelyCommand {
  const variables = command.assignments.map(({ name, value, elements }) => ({
    name,
    value: elements
      ? elements
          .flatMap(word => guessWord(word, known))
          .map(textOfArg)
          .join(' ')
      : textOf(value, known).text,
  }))
  for (const { name, value } of variables) known.values.set(name, cut(value, known))
  const words = command.words.flatMap(word => guessWord(word, known))
  if (words.length > MAX_WORDS) known.limit.reached = true
  const argv = words.slice(0, MAX_WORDS)
  if (DECLARES.has(argv[0]?.text ?? '')) for (const { text } of argv) setDeclared(text, known)
  if (argv[0]?.text === 'set') setArguments(known, argv.slice(argv[1]?.text === '--' ? 2 : 1))
  const input = inputOf(command, known)
  const pipes = pipesOf(command, known)
  const isPartly = [input, ...pipes].some(text => text?.sure === false) || undefined
  return { argv, input: input?.text, pipes: pipes.map(pipe => pipe?.text), isPartly, variables }
}

/** Builtins whose words set variables as assignments do. */
const DECLARES = new Set(['export', 'declare', 'typeset', 'local', 'readonly'])

function setDeclared(text: string, known: Known): void {
  const [, name, value = ''] = /^([A-Za-z_]\w*)=([^]*)$/.exec(text) ?? []
  if (name !== undefined) known.values.set(name, cut(value, known))
}

function cut(text: string, { limit }: Known): string {
  if (text.length <= MAX_TEXT) return text
  limit.reached = true
  return text.slice(0, MAX_TEXT)
}

const textOfArg = ({ text }: Arg): string => text

function setArguments(known: Known, args: Argv): void {
  const all = cut(args.map(textOfArg).join(' '), known)
  for (const name of ['@', '*']) known.values.set(name, all)
  for (let at = 1; at <= 9; at++) known.values.set(String(at), args[at - 1]?.text ?? '')
}

function guessWord(word: Word, known: Known): readonly Arg[] {
  if (word.brace) return expandBraces(word.source).map(text => ({ text, sure: false }))
  const literal = literalOf(word)
  if (literal !== undefined) return [{ text: literal, sure: true }]
  const { text, sure } = textOf(word, known)
  const glob = word.pieces.some(({ kind }) => kind === 'glob')
  const isSplit =
    word.pieces.some(piece => 'quoted' in piece && !piece.quoted && piece.kind !== 'text') || word.pieces.some(isList)
  if (!isSplit) return [{ text, sure: sure && !glob, ...(glob && sure && { glob }) }]
  return text
    .split(/[ \t\n]+/)
    .filter((part, _at, all) => part !== '' || all.length === 1)
    .map(part => ({ text: part, sure: false }))
}

interface Text {
  readonly text: string
  readonly sure: boolean
}

function textOf({ pieces }: Word, known: Known): Text {
  const parts = pieces.map(piece => pieceText(piece, known))
  const text = parts.map(part => part.text).join('')
  return { text: cut(text, known), sure: parts.every(({ sure }) => sure) }
}

function pieceText(piece: Piece, known: Known): Text {
  if (piece.kind === 'text' || piece.kind === 'glob') return { text: piece.text, sure: true }
  if (piece.kind === 'variable') return { text: known.values.get(piece.name) ?? '', sure: false }
  if (piece.kind === 'output') return { text: outputOf(piece.commands, known)?.text ?? '', sure: false }
  return { text: piece.commands ? PIPE : expandedText(piece.text, known), sure: false }
}

/** As the shell names it. */
const PIPE = '/dev/fd/63'

/** Returns the variable of an expansion with an operator, or one element of it: `${list[@]}`, `${@:1}`, `${x,,}`. */
function expandedText(text: string, known: Known): string {
  const [, name = '', index] = /^\{([A-Za-z_]\w*|[@*1-9])(?:\[(\d+)\])?/.exec(text) ?? []
  const value = known.values.get(name) ?? ''
  return index === undefined ? value : (value.split(/\s+/)[Number(index)] ?? '')
}

/** Returns what `echo` and `printf` would print, and a guess for others. */
function outputOf(commands: readonly Simple[], known: Known): Text | undefined {
  const last = commands.at(-1)
  const texts = last?.words.map(word => textOf(word, known)) ?? []
  const [program, ...rest] = texts.map(({ text }) => text)
  const word = rest.at(-1)
  // Most likely the output is about the last word: which rm, command -v rm, basename /bin/rm.
  if (program !== 'echo' && program !== 'printf') return word === undefined ? undefined : { text: word, sure: false }
  return { text: cut(printedText(program, rest, MAX_TEXT), known), sure: texts.every(({ sure }) => sure) }
}

function inputOf({ redirections, input }: Simple, known: Known): Text | undefined {
  const last = redirections.findLast(({ operator }) => operator.startsWith('<'))
  if (last?.operator === '<<<') return textOf(last.target, known)
  if (last?.operator.startsWith('<<')) return last.body === undefined ? undefined : { text: last.body, sure: true }
  if (last) return pipesIn(last.target, known)[0]
  return input && shownBy(input, known)
}

/** Returns what a command prints, if that is only its arguments or its input. */
function shownBy(command: Simple, known: Known): Text | undefined {
  const [program, ...rest] = command.words.map(literalOf)
  if (program === 'echo' || program === 'printf') return outputOf([command], known)
  return program === 'cat' && rest.every(word => word === '-') ? inputOf(command, known) : undefined
}

const pipesOf = ({ words, assignments }: Simple, known: Known): readonly (Text | undefined)[] =>
  [...words, ...assignments.map(({ value }) => value)].flatMap(word => pipesIn(word, known))

const pipesIn = ({ pieces }: Word, known: Known): readonly (Text | undefined)[] =>
  pieces.flatMap(piece => {
    if (piece.kind !== 'other' || !piece.commands) return []
    const [only, ...more] = piece.commands
    return [only && more.length === 0 ? shownBy(only, known) : undefined]
  })

/** Returns the words that braces expand to, up to a few rounds. */
function expandBraces(source: string): readonly string[] {
  let words = [source.replaceAll(/["'\\]/g, '')]
  for (let round = 0; round < 3 && words.length <= 64; round++) words = words.flatMap(expandOnce)
  return words
}

function expandOnce(word: string): readonly string[] {
  if (word.length > 200) return [word]
  for (let close = word.indexOf('}'); close >= 0; close = word.indexOf('}', close + 1)) {
    const open = word.lastIndexOf('{', close)
    const inside = open < 0 ? '' : word.slice(open + 1, close)
    if (inside.includes(','))
      return inside.split(',', 64).map(part => word.slice(0, open) + part + word.slice(close + 1))
  }
  return [word]
}
