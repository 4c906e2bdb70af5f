import type { Concern } from '../concern.ts'
import { literalOf, startOf, type Piece, type Word } from '../script.ts'
import type { Program } from './program.ts'
import type { Option, Reading, Value } from './reading.ts'

/** Parses the arguments of a command. All judgements use this one result. */
export function readArguments(program: Program, words: readonly Word[]): Reading {
  const reader: Reader = { program, words, at: 1, options: [], operands: [], doubts: [], unknown: [] }
  let isOver = program.operands === 'anything'
  for (; reader.at < words.length; reader.at++) {
    const word = words[reader.at]
    if (!word) break
    const text = literalOf(word)
    if (!isOver && text === '--' && !program.endless) isOver = true
    else if (isOver || !/^-./.test(startOf(word))) {
      reader.operands.push({ at: reader.at, word })
      isOver ||= program.optionsFirst === true
    } else readOption(reader, word, text)
    isOver ||= reader.options.at(-1)?.kinds === '$'
  }
  return reader
}

interface Reader extends Reading {
  readonly program: Program
  readonly words: readonly Word[]
  at: number
  readonly options: Option[]
  readonly operands: Value[]
  readonly doubts: Concern[]
  readonly unknown: string[]
}

interface Known {
  readonly name: string
  readonly kinds: string
  readonly isRisky: boolean
}

function readOption(reader: Reader, word: Word, text: string | undefined): void {
  const { program, at } = reader
  if (text !== undefined && program.shapes?.test(text)) {
    reader.options.push({ at, name: text, kinds: '', values: [], isRisky: false })
    return
  }
  const [, name = '', equals] = /^(-[^=]*)(=?)/.exec(startOf(word)) ?? []
  const fullName = program.spelling?.(name) ?? name
  const isWhole =
    name.startsWith('--') || program.style === 'words' || (fullName.length > 2 && knownOf(program).has(fullName))
  if (!isWhole) readLetters(reader, word, text)
  else if (text === undefined && equals === '') doubt(reader, `the option ${word.source} is not certain`)
  else readWhole(reader, fullName, equals === '=' ? behind(word, name.length + 1) : undefined)
}

/** Reads `--name`, `--name value` or `--name=value`. */
function readWhole(reader: Reader, name: string, joined: Word | undefined): void {
  const candidates = optionsStartingWith(reader.program, name)
  const option = knownOf(reader.program).get(name) ?? mostFeared(candidates)
  if (option?.name !== name) doubt(reader, `the option ${name} is not known to be harmless`)
  if (!option || (option.name !== name && candidates.length > 1))
    reader.unknown.push(joined ? `${name}=${joined.source}` : name)
  if (!option) return
  const { kinds } = option
  if (joined && kinds === '') doubt(reader, `the option ${name} has no value`)
  take(reader, option, joined, kinds === '?' ? 0 : kinds.length)
}

/** Reads letters up to one that has a value: `-la`, `-n5`, `-n 5`. */
function readLetters(reader: Reader, word: Word, text = startOf(word)): void {
  const { program, at } = reader
  for (let index = 1; index < text.length; index++) {
    const name = `-${text[index]}`
    const option = knownOf(program).get(name)
    if (!option) {
      reader.unknown.push(`-${text.slice(index)}`)
      return doubt(reader, `the option ${name} is not known to be harmless`)
    }
    const rest = behind(word, index + 1)
    const isLast = rest.pieces.length === 0
    if (option.kinds === '#' && !isLast) {
      const digits = /^\d*/.exec(text.slice(index + 1))?.[0] ?? ''
      reader.options.push({ ...option, at, values: [{ at, word: literalWord(digits) }] })
      index += digits.length
    } else if (option.kinds !== '') {
      if (!isLast && program.separate) {
        reader.unknown.push(`-${text.slice(index)}`)
        return doubt(reader, `the value of ${name} is not in the next word`)
      }
      return take(reader, option, isLast ? undefined : rest, option.kinds === '?' ? 0 : option.kinds.length)
    } else reader.options.push({ ...option, at, values: [] })
  }
  if (literalOf(word) === undefined) doubt(reader, `the option ${word.source} is not certain`)
}

/** Adds an option with its values; the first may be joined to it. */
function take(reader: Reader, known: Known, joined: Word | undefined, count: number): void {
  const at = reader.at
  const values: Value[] = joined ? [{ at, word: joined }] : []
  while (values.length < count) {
    const word = reader.words[reader.at + 1]
    if (!word && known.kinds === '%') break
    const isMissing = !word || (reader.program.dashedIsOption === true && startOf(word).startsWith('-'))
    const isNoNumber = known.kinds === '#' && !/^\d+$/.test(word?.source ?? '')
    if (isMissing || isNoNumber) {
      doubt(reader, `the value of ${known.name} is ${isMissing ? 'missing' : 'no number'}`)
      break
    }
    values.push({ at: ++reader.at, word })
  }
  reader.options.push({ ...known, at, values })
}

const doubt = ({ doubts, at }: Reader, what: string): void => void doubts.push({ at, what })

const tables = new WeakMap<Program, ReadonlyMap<string, Known>>()

/** Returns the options of a program by name. */
function knownOf(program: Program): ReadonlyMap<string, Known> {
  const cachedOptions = tables.get(program)
  if (cachedOptions) return cachedOptions
  const flags = Array.from(program.flags ?? '', letter => ({ name: `-${letter}`, kinds: '', isRisky: false }))
  const allOptions = [...flags, ...parseOptions(program.options, false), ...parseOptions(program.risky, true)]
  const table = new Map(allOptions.map(one => [one.name, one]))
  tables.set(program, table)
  return table
}

const parseOptions = (text = '', isRisky: boolean): readonly Known[] =>
  text
    .split(/\s+/)
    .filter(token => token !== '')
    .map(token => {
      const [, name = '', kinds = ''] = /^(.[^=@>!?#%$]*)(.*)$/.exec(token) ?? []
      return { name, kinds, isRisky }
    })

/** Many programs accept an abbreviated long option. */
const optionsStartingWith = (program: Program, name: string): readonly Known[] =>
  /^--./.test(name) ? [...knownOf(program).values()].filter(known => known.name.startsWith(name)) : []

/** Of several, prefers the one that runs a command. */
const mostFeared = (meant: readonly Known[]): Known | undefined =>
  meant.find(({ kinds }) => kinds.includes('!')) ?? meant[0]

/** Returns the names of all options of a program. */
export const optionsOf = (program: Program): readonly string[] => [...knownOf(program).keys()]

/** Returns the word without its leading certain characters. */
function behind({ source, pieces, brace }: Word, count: number): Word {
  const rest: Piece[] = []
  let charactersLeft = count
  for (const piece of pieces) {
    if (charactersLeft === 0 || piece.kind !== 'text') rest.push(piece)
    else {
      const text = piece.text.slice(charactersLeft)
      charactersLeft = Math.max(0, charactersLeft - piece.text.length)
      if (text !== '') rest.push({ ...piece, text })
    }
  }
  return { source: source.slice(count), pieces: rest, brace }
}

/** A literal word. */
export const literalWord = (text: string): Word => ({
  source: text,
  pieces: [{ kind: 'text', text, quoted: true }],
  brace: false,
})

/** Returns the values of these options, each as far as it is certain. */
export const valuesOf = ({ options }: Reading, ...names: readonly string[]): readonly Value[] =>
  options.filter(({ name }) => names.includes(name)).flatMap(({ values }) => values)

/** Reports whether any of these options is given. */
export const has = ({ options }: Reading, ...names: readonly string[]): boolean =>
  options.some(({ name }) => names.includes(name))

/** Reports whether the next word is the value of this option. */
export const takesNext = (program: Program, option: string): boolean =>
  /[=@>!$]/.test(knownOf(program).get(program.spelling?.(option) ?? option)?.kinds ?? '')
