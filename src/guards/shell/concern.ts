import { staysInside } from './stays-inside.ts'
import { isGlob, isOneWord, literalOf, startOf, type Word } from './script.ts'

/** A part of a command that a rule for its first words does not cover. */
export interface Concern {
  /** The index of the word, counted from the program. */
  readonly at: number
  readonly what: string
}

const DEVICES = new Set(['/dev/null', '/dev/stdin', '-'])

/** Returns why an argument cannot be taken for a file of the workspace. */
export function fileConcern(text: string): string | undefined {
  return staysInside(text) || DEVICES.has(text) ? undefined : `'${text}' is outside the workspace`
}

/**
 * Returns why the names that a pattern finds cannot be taken for files of the workspace. They may look like options if
 * `isFree`.
 */
export function globConcern(word: Word, isFree: boolean): string | undefined {
  if (isPipe(word)) return undefined
  if (!isGlob(word)) return `the value of ${word.source} is not known`
  const start = startOf(word)
  if (!isFree && (start === '' || start.startsWith('-'))) return `${word.source} may find names that look like options`
  const path = word.pieces.map(piece => (piece.kind === 'text' ? piece.text : 'x')).join('')
  if (/(^|\/)\.+[*?[]/.test(word.source) || !staysInside(path)) return `${word.source} may lead out of the workspace`
  return undefined
}

/** `<(commands)` is a pipe that is read like a file; its commands are judged separately. */
const isPipe = ({ pieces: [first, ...more] }: Word): boolean =>
  more.length === 0 && first?.kind === 'other' && first.text === '<()'

/** Returns why a word cannot be the value of an option. */
export function valueConcern(word: Word | undefined, isFile: boolean): string | undefined {
  if (!word) return 'a value is missing'
  const text = literalOf(word)
  if (text !== undefined) return isFile ? fileConcern(text) : undefined
  return !isFile && isOneWord(word) ? undefined : `the value of ${word.source} is not known`
}
