import { ToolError } from '../../../../kernel/error.ts'
import { languageOf } from '../../../model/languages.ts'

const SCRIPT =
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'
const PYTHON =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'
const C =
  'auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef union unsigned void volatile while'
const RESERVED: Readonly<Record<string, string>> = {
  typescript: SCRIPT,
  javascript: SCRIPT,
  python: PYTHON,
  c: C,
  cpp: `${C} bool catch class delete explicit false friend mutable namespace new nullptr operator private protected public template this throw true try typename using virtual`,
  go: 'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var',
  rust: 'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while',
}

/** Refuses a text that cannot be a name in the language of the file. */
export function checkedName(path: string, old: string, name: string): void {
  const isPrivate = old.startsWith('#')
  const plain = isPrivate ? name.replace(/^#/, '') : name
  const isWord = /^[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*$/u.test(plain) && isPrivate === name.startsWith('#')
  const isTaken = RESERVED[languageOf(path) ?? '']?.split(' ').includes(plain) ?? false
  if (!isWord || isTaken)
    throw new ToolError(
      'invalid_input',
      `'${name}' is no name${isTaken ? ': the language has the word for itself' : ''}`,
      {
        hint: isPrivate ? 'A private name begins with #' : 'Give a name alone, without its class and without dots',
      },
    )
  if (name === old) throw new ToolError('invalid_input', `It is named '${name}' already`)
}
