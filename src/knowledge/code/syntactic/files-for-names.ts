import { oncePer } from '../../../kernel/once.ts'
import { mayDeclare } from '../../model/grammar/may-declare.ts'

/** Finds files by the names in them, without parsing any. */
export interface FilesForNames {
  mentioning(name: string): readonly string[]
  /** Those that may declare it: too many rather than too few. */
  declaring(name: string): readonly string[]
  /** Those that have this text in them. */
  writing(text: string): readonly string[]
}

const WORD = /[\w$]/

export function filesForNames(texts: ReadonlyMap<string, string>): FilesForNames {
  const having = (name: string, isWanted: (text: string, at: number) => boolean): readonly string[] =>
    name === '' ? [] : [...texts].flatMap(([path, text]) => (hasOne(text, name, isWanted) ? [path] : []))
  return {
    mentioning: oncePer((name: string) => having(name, () => true)),
    writing: oncePer((sign: string) => [...texts].flatMap(([path, text]) => (text.includes(sign) ? [path] : []))),
    declaring: oncePer((name: string) => having(name, (text, at) => mayDeclare(text, at, at + name.length))),
  }
}

/** Whether one of the places of a word is wanted. */
function hasOne(text: string, name: string, isWanted: (text: string, at: number) => boolean): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole = !WORD.test(text[at - 1] ?? '') && !WORD.test(text[at + name.length] ?? '')
    // `$` and `@` belong to the names of some languages, and to the word itself of others.
    if ((isWhole || /[$@]/.test(text[at - 1] ?? '')) && isWanted(text, at)) return true
  }
  return false
}
