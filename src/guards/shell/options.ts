import { fileConcern, globConcern, valueConcern, type Concern } from './concern.ts'
import { isOneWord, literalOf, startOf, type Word } from './script.ts'

/** The options of a program that neither run nor write anything; every other one is asked for. */
export interface Options {
  /** Short options without a value. */
  readonly flags?: string
  /** Short options with a value, and those whose value is a file that is read. */
  readonly values?: string
  readonly files?: string
  /** Long options: `all`, `width=` with a value, `color?` with one or without, `from@` with a file that is read. */
  readonly long?: string
  /** Options of another shape. */
  readonly shapes?: RegExp
  /** What the arguments are: texts, files that are read, a text and then files, none; or anything at all, options included. */
  readonly operands: 'any' | 'files' | 'text-then-files' | 'none' | 'anything'
  /** More arguments than this write something. */
  readonly most?: number
  /** Options that give the text, so that every argument is a file. */
  readonly textBy?: RegExp
  /** No option of the program can do harm, so that arguments may be whatever a pattern finds. */
  readonly free?: true
  /** A further look at a text or a value. */
  readonly check?: (text: string) => string | undefined
}

/** What in the arguments is not known to be harmless. */
export function optionConcerns(options: Options, words: readonly Word[]): readonly Concern[] {
  if (options.operands === 'anything') return []
  const concerns: Concern[] = []
  const say = (at: number, what: string | undefined): void => void (what !== undefined && concerns.push({ at, what }))
  const hasText = words.some(word => options.textBy?.test(startOf(word)))
  let operands = 0
  let isOver = false
  for (let at = 1; at < words.length; at++) {
    const word = words[at]
    if (!word) break
    const text = literalOf(word)
    const start = startOf(word)
    if (!isOver && text === '--') isOver = true
    else if (!isOver && start.startsWith('--') && start !== '--') at += long(options, words, at, say)
    else if (!isOver && text !== undefined && /^-./.test(text) && !options.shapes?.test(text))
      at += short(options, words, at, say)
    else if (isOver || text === undefined || !/^-./.test(text))
      say(at, operandConcern(options, word, ++operands, hasText))
  }
  return concerns
}

type Say = (at: number, what: string | undefined) => void

/** Looks at a long option; the number of further words that belong to it. */
function long({ long: names = '', check }: Options, words: readonly Word[], at: number, say: Say): number {
  const word = words[at]
  const start = word ? startOf(word) : ''
  const [, name = '', equals] = /^--([^=]*)(=?)/.exec(start) ?? []
  const known = names.split(/\s+/)
  const needs = known.includes(`${name}=`) || known.includes(`${name}@`)
  if (!needs && !known.includes(name) && !known.includes(`${name}?`)) {
    say(at, `the option --${name} is not known to be harmless`)
    return 0
  }
  if (equals === '=') {
    const value = word && literalOf(word)?.slice(name.length + 3)
    if (known.includes(name)) say(at, `the option --${name} has no value`)
    if (value !== undefined) say(at, known.includes(`${name}@`) ? fileConcern(value) : check?.(value))
    else say(at, unknownValue(word, known.includes(`${name}@`)) ?? check?.(word?.source ?? ''))
    return 0
  }
  if (!needs) {
    if (word && literalOf(word) === undefined) say(at, 'an option is not known')
    return 0
  }
  const next = words[at + 1]
  say(at, valueConcern(next, known.includes(`${name}@`)) ?? check?.((next && literalOf(next)) ?? ''))
  return 1
}

/** A value that is not certain may be one text, or names that a pattern finds; a file must be certain. */
function unknownValue(word: Word | undefined, isFile: boolean): string | undefined {
  const isFine = word && !isFile && (isOneWord(word) || globConcern(word, true) === undefined)
  return isFine ? undefined : 'a value is not known'
}

/** Looks at a group of short options; the number of further words that belong to it. */
function short(
  { flags = '', values = '', files = '', check }: Options,
  words: readonly Word[],
  at: number,
  say: Say,
): number {
  const word = words[at]
  const text = (word && literalOf(word)) ?? ''
  for (let index = 1; index < text.length; index++) {
    const letter = text[index] ?? ''
    if (flags.includes(letter)) continue
    if (!values.includes(letter) && !files.includes(letter)) {
      say(at, `the option -${letter} is not known to be harmless`)
      return 0
    }
    const rest = text.slice(index + 1)
    const next = words[at + 1]
    const value = rest === '' ? next && literalOf(next) : rest
    if (rest === '') say(at, valueConcern(next, files.includes(letter)))
    else if (files.includes(letter)) say(at, fileConcern(rest))
    if (value !== undefined) say(at, check?.(value))
    return rest === '' ? 1 : 0
  }
  return 0
}

function operandConcern(options: Options, word: Word, count: number, hasText: boolean): string | undefined {
  const text = literalOf(word)
  const isText = options.operands === 'any' || (options.operands === 'text-then-files' && count === 1 && !hasText)
  if (options.operands === 'none' || count > (options.most ?? Infinity))
    return `the argument ${word.source} is one too many`
  if (text === undefined && options.operands === 'any' && options.free) return undefined
  if (text === undefined) return globConcern(word, options.free === true)
  if (!isText) return fileConcern(text)
  return options.check?.(text)
}
