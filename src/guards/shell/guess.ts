import { printedText } from './printed-text.ts'
import { isList, literalOf, type Piece, type Script, type Simple, type Word } from './script.ts'

/** A word of a command as a deny rule sees it: the likeliest text, and whether it is certain. */
export interface Arg {
  readonly text: string
  readonly sure: boolean
  /** It may be something else than its text says only by being the name of a file: `/bin/r?`. */
  readonly glob?: true
}

export type Argv = readonly Arg[]

/** A command with the words it would most likely have, and the script that it would read from its input. */
export interface Guess {
  readonly argv: Argv
  readonly input?: string | undefined
  /** What comes by the pipes that stand among its words; undefined where that is not known. */
  readonly pipes?: readonly (string | undefined)[] | undefined
  readonly variables: readonly { readonly name: string; readonly value: string }[]
}

const MAX_WORDS = 2_000
/** Variables that are put together from each other grow without end. */
const MAX_TEXT = 10_000

/**
 * The likeliest words of every command: variables that the line sets are filled in, others are taken for empty. Behind them come the
 * commands of functions as they are with the arguments of each call.
 */
export function guessAll({ commands, functions }: Pick<Script, 'commands' | 'functions'>): readonly Guess[] {
  const known = new Map<string, string>([['IFS', ' ']])
  const bodies = Map.groupBy(functions, ({ name }) => name)
  const calls: Guess[] = []
  const call = ([program, ...rest]: Argv, depth: number): void => {
    if (!program || depth > MAX_CALLS || calls.length > MAX_CALLED) return
    const within = new Map(known)
    for (const { body } of bodies.get(program.text) ?? []) {
      setArguments(within, rest)
      for (const command of body) {
        const guess = guessOne(command, within)
        calls.push(guess)
        call(guess.argv, depth + 1)
      }
    }
  }
  const guesses = commands.map(command => {
    const guess = guessOne(command, known)
    if (bodies.size > 0) call(guess.argv, 0)
    return guess
  })
  return [...guesses, ...calls]
}

/** How deep and how often calls of functions are followed. */
const MAX_CALLS = 4
const MAX_CALLED = 1_000

function guessOne(command: Simple, known: Map<string, string>): Guess {
  const variables = command.assignments.map(({ name, value, elements }) => ({
    name,
    value: elements
      ? elements
          .flatMap(word => guessWord(word, known))
          .map(textOfArg)
          .join(' ')
      : textOf(value, known).text,
  }))
  for (const { name, value } of variables) known.set(name, value.slice(0, MAX_TEXT))
  const argv = command.words.flatMap(word => guessWord(word, known)).slice(0, MAX_WORDS)
  if (argv[0]?.text === 'set') setArguments(known, argv.slice(argv[1]?.text === '--' ? 2 : 1))
  return { argv, input: inputOf(command, known), pipes: pipesOf(command, known), variables }
}

const textOfArg = ({ text }: Arg): string => text

function setArguments(known: Map<string, string>, args: Argv): void {
  const all = args.map(textOfArg).join(' ').slice(0, MAX_TEXT)
  for (const name of ['@', '*']) known.set(name, all)
  for (let at = 1; at <= 9; at++) known.set(String(at), args[at - 1]?.text ?? '')
}

function guessWord(word: Word, known: ReadonlyMap<string, string>): readonly Arg[] {
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

function textOf({ pieces }: Word, known: ReadonlyMap<string, string>): Text {
  const parts = pieces.map(piece => pieceText(piece, known))
  const text = parts.map(part => part.text).join('')
  return { text: text.slice(0, MAX_TEXT), sure: parts.every(({ sure }) => sure) }
}

function pieceText(piece: Piece, known: ReadonlyMap<string, string>): Text {
  if (piece.kind === 'text' || piece.kind === 'glob') return { text: piece.text, sure: true }
  if (piece.kind === 'variable') return { text: known.get(piece.name) ?? '', sure: false }
  if (piece.kind === 'output') return { text: outputOf(piece.commands, known) ?? '', sure: false }
  return { text: piece.commands ? PIPE : expandedText(piece.text, known), sure: false }
}

/** As the shell names it. */
const PIPE = '/dev/fd/63'

/** Of an expansion with an operator the variable, or one element of it: `${list[@]}`, `${@:1}`, `${x,,}`. */
function expandedText(text: string, known: ReadonlyMap<string, string>): string {
  const [, name = '', index] = /^\{([A-Za-z_]\w*|[@*1-9])(?:\[(\d+)\])?/.exec(text) ?? []
  const value = known.get(name) ?? ''
  return index === undefined ? value : (value.split(/\s+/)[Number(index)] ?? '')
}

/** What `echo` and `printf` would print, and a guess at what others do. */
function outputOf(commands: readonly Simple[], known: ReadonlyMap<string, string>): string | undefined {
  const last = commands.at(-1)
  const [program, ...rest] = last?.words.map(word => textOf(word, known).text) ?? []
  // Whatever it is, most likely it is about its last word: which rm, command -v rm, basename /bin/rm.
  if (program !== 'echo' && program !== 'printf') return rest.at(-1)
  return printedText(program, rest)
}

function inputOf({ redirections, input }: Simple, known: ReadonlyMap<string, string>): string | undefined {
  const last = redirections.findLast(({ operator }) => operator.startsWith('<'))
  if (last?.operator === '<<<') return textOf(last.target, known).text
  if (last?.operator.startsWith('<<')) return last.body
  if (last) return pipesIn(last.target, known)[0]
  return input && shownBy(input, known)
}

/** What a command prints, where it prints no more than its arguments or what it reads. */
function shownBy(command: Simple, known: ReadonlyMap<string, string>): string | undefined {
  const [program, ...rest] = command.words.map(literalOf)
  if (program === 'echo' || program === 'printf') return outputOf([command], known)
  return program === 'cat' && rest.every(word => word === '-') ? inputOf(command, known) : undefined
}

const pipesOf = ({ words, assignments }: Simple, known: ReadonlyMap<string, string>): Guess['pipes'] =>
  [...words, ...assignments.map(({ value }) => value)].flatMap(word => pipesIn(word, known))

const pipesIn = ({ pieces }: Word, known: ReadonlyMap<string, string>): readonly (string | undefined)[] =>
  pieces.flatMap(piece => {
    if (piece.kind !== 'other' || !piece.commands) return []
    const [only, ...more] = piece.commands
    return [only && more.length === 0 ? shownBy(only, known) : undefined]
  })

/** The words that braces stand for, as far as a few rounds go. */
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
