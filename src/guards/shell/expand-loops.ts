import { isGlob, literalOf, type Loop, type Piece, type Script, type Simple, type Word } from './script.ts'

const MAX_VARIANTS = 64
const MAX_COMMANDS = 4_000

/** Builtins that set variables in ways that are not followed. */
const SETTERS = new Set(
  `read mapfile readarray declare typeset local readonly export unset let getopts eval source . command builtin exec trap wait
  enable set shopt`.split(/\s+/),
)

/**
 * Fills in the variables of loops: returns each command once for every word of its loop. Also keeps the command as
 * written unless the variable certainly has one of these values.
 */
export function expandLoops(script: Script, loops: readonly Loop[]): Script {
  if (loops.length === 0) return script
  const names = Map.groupBy(loops, ({ name }) => name)
  // A function may run a loop of the same name within another, so any of their words is possible.
  const values = new Map([...names].map(([name, all]) => [name, all.flatMap(({ words }) => words)]))
  const reads = new Set(loops.map(({ read }) => read))
  let variantsLeft = MAX_COMMANDS
  const rolls = new Map(
    script.commands.map(command => {
      const roll = variantsLeft > 0 ? variantsOf(command, values) : { variants: [command], isCertain: true }
      variantsLeft -= roll.variants.length
      return [command, roll]
    }),
  )
  const isFollowed =
    script.broken === undefined &&
    script.doubts.length === 0 &&
    [...rolls].every(([command, { variants }]) => reads.has(command) || variants.every(isTame)) &&
    !script.commands.some(({ assignments }) => assignments.some(({ name }) => values.has(name)))
  const replace = (command: Simple): readonly Simple[] => {
    const { variants, isCertain } = rolls.get(command) ?? { variants: [command], isCertain: true }
    const isSame = variants.length === 1 && variants[0] === command
    return isSame || (isFollowed && isCertain) ? variants : [...variants, command]
  }
  return {
    ...script,
    commands: script.commands.flatMap(replace),
    functions: script.functions.map(({ name, body }) => ({ name, body: body.flatMap(replace) })),
  }
}

function isTame({ words }: Simple): boolean {
  const [first, second] = words
  if (!first) return true
  const name = literalOf(first)
  if (name === undefined || SETTERS.has(name)) return false
  return name !== 'printf' || /^[^-]/.test((second && literalOf(second)) ?? '-')
}

interface Roll {
  readonly variants: readonly Simple[]
  readonly isCertain: boolean
}

type Values = ReadonlyMap<string, readonly Word[]>

function variantsOf(command: Simple, values: Values): Roll {
  let roll: Roll = { variants: [command], isCertain: true }
  for (const name of new Set(command.loops?.map(loop => loop.name))) {
    if (!mentions(command, name)) continue
    const words = values.get(name) ?? []
    const most = Math.max(1, Math.floor(MAX_VARIANTS / roll.variants.length))
    const filledVariants = roll.variants.flatMap(variant =>
      words.slice(0, most).map(word => fillIn(variant, name, word)),
    )
    const isCertain = roll.isCertain && words.length <= most && filledVariants.every(one => one.isCertain)
    roll = { variants: filledVariants.map(({ command: variant }) => variant), isCertain }
  }
  return roll
}

const isVariable = (piece: Piece, name: string): boolean => piece.kind === 'variable' && piece.name === name

function mentions({ words, redirections, assignments, input }: Simple, name: string): boolean {
  const inWord = ({ pieces }: Word): boolean =>
    pieces.some(
      piece => isVariable(piece, name) || (piece.kind === 'output' && piece.commands.some(one => mentions(one, name))),
    )
  return (
    words.some(inWord) ||
    redirections.some(({ target }) => inWord(target)) ||
    assignments.some(({ value, elements = [] }) => inWord(value) || elements.some(inWord)) ||
    (input !== undefined && mentions(input, name))
  )
}

interface Filled<T> {
  readonly result: T
  readonly isCertain: boolean
}

function fillIn(command: Simple, name: string, value: Word): { readonly command: Simple; readonly isCertain: boolean } {
  let isCertain = true
  const fill = (word: Word): readonly Word[] => {
    const filledWord = fillWord(word, name, value)
    isCertain &&= filledWord.isCertain
    return filledWord.result
  }
  const one = (word: Word): Word => fill(word)[0] ?? word
  const words = command.words.flatMap(fill)
  const filledCommand: Simple = {
    ...command,
    source: words.map(word => literalOf(word) ?? word.source).join(' ') || command.source,
    words,
    redirections: command.redirections.map(redirection => ({ ...redirection, target: one(redirection.target) })),
    assignments: command.assignments.map(assignment => ({
      ...assignment,
      value: one(assignment.value),
      ...(assignment.elements && { elements: assignment.elements.flatMap(fill) }),
    })),
    ...(command.input && { input: fillIn(command.input, name, value).command }),
    unrolled: true,
  }
  return { command: filledCommand, isCertain }
}

function fillWord(word: Word, name: string, value: Word): Filled<readonly Word[]> {
  if (!word.pieces.some(piece => isVariable(piece, name) || piece.kind === 'output'))
    return { result: [word], isCertain: true }
  const text = literalOf(value)
  const [only, ...more] = word.pieces.filter(piece => piece.kind !== 'text' || piece.text !== '')
  if (text === undefined) {
    const isWhole = only?.kind === 'variable' && more.length === 0 && only.quoted
    return { result: [isWhole ? value : word], isCertain: isWhole && isGlob(value) }
  }
  const isPlain = /^[\w.,/@%+:=-]+$/.test(text)
  const isSplit = word.pieces.some(piece => piece.kind === 'variable' && piece.name === name && !piece.quoted)
  const isCertain = isPlain || !isSplit
  const parts = isCertain ? [text] : text.split(/\s+/).filter(part => part !== '')
  const result = parts.map(part => ({ ...word, pieces: word.pieces.map(piece => fillPiece(piece, name, part, value)) }))
  return { result, isCertain }
}

function fillPiece(piece: Piece, name: string, text: string, value: Word): Piece {
  if (isVariable(piece, name)) return { kind: 'text', text, quoted: true }
  if (piece.kind !== 'output') return piece
  return { ...piece, commands: piece.commands.map(command => fillIn(command, name, value).command) }
}
