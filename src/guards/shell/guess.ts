import { literalOf, type Piece, type Script, type Simple, type Word } from './script.ts'

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
  readonly variables: readonly { readonly name: string; readonly value: string }[]
}

const MAX_WORDS = 2_000
/** Variables that are put together from each other grow without end. */
const MAX_TEXT = 10_000

/** The likeliest words of every command: variables that the line sets are filled in, others are taken for empty. */
export function guessAll({ commands }: Pick<Script, 'commands'>): readonly Guess[] {
  const known = new Map<string, string>([['IFS', ' ']])
  return commands.map(command => {
    const variables = command.assignments.map(({ name, value }) => ({ name, value: textOf(value, known).text }))
    for (const { name, value } of variables) known.set(name, value)
    const argv = command.words.flatMap(word => guessWord(word, known)).slice(0, MAX_WORDS)
    return { argv, input: inputOf(command, known), variables }
  })
}

function guessWord(word: Word, known: ReadonlyMap<string, string>): readonly Arg[] {
  if (word.brace) return expandBraces(word.source).map(text => ({ text, sure: false }))
  const literal = literalOf(word)
  if (literal !== undefined) return [{ text: literal, sure: true }]
  const { text, sure } = textOf(word, known)
  const glob = word.pieces.some(({ kind }) => kind === 'glob')
  const isSplit = word.pieces.some(piece => 'quoted' in piece && !piece.quoted && piece.kind !== 'text')
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
  return { text: '', sure: false }
}

/** What `echo` and `printf` would print, and a guess at what others do. */
function outputOf(commands: readonly Simple[], known: ReadonlyMap<string, string>): string | undefined {
  const last = commands.at(-1)
  const [program, ...rest] = last?.words.map(word => textOf(word, known).text) ?? []
  // Whatever it is, most likely it is about its last word: which rm, command -v rm, basename /bin/rm.
  if (program !== 'echo' && program !== 'printf') return rest.at(-1)
  const shown = rest.filter((word, at) => program === 'printf' || at > 0 || !/^-[neE]+$/.test(word))
  const [format = '', ...values] = shown
  if (program === 'printf' && /%[sb]/.test(format)) return values.join(' ')
  return shown.join(' ').replaceAll('\\n', '\n')
}

function inputOf({ redirections, input }: Simple, known: ReadonlyMap<string, string>): string | undefined {
  const last = redirections.findLast(({ operator }) => operator.startsWith('<<'))
  if (last?.operator === '<<<') return textOf(last.target, known).text
  if (last) return last.body
  return input && isPrinting(input) ? outputOf([input], known) : undefined
}

const isPrinting = ({ words: [program] }: Simple): boolean =>
  /^(echo|printf)$/.test((program && literalOf(program)) ?? '')

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
