import { literalOf, type Word } from '../script.ts'
import { programs } from './program.ts'
import { literalWord } from './read-arguments.ts'

/** Shells, for rules that ask or deny. Words after the script or text are its arguments. */
export const SHELLS = programs({
  'bash sh dash zsh ksh ash': {
    does: 'run',
    operands: 'texts',
    optionsFirst: true,
    rewrite: withDashes,
    flags: 'abcefhiklmnprstuvxBCDEHPT',
    options: `-o= -O= --norc --noprofile --login --posix --rcfile@ --init-file@ --verbose --restricted --debugger --dump-strings
    --dump-po-strings --noediting`,
  },
})

/** `+x` unsets an option, and is not a script. */
function withDashes(words: readonly Word[]): readonly Word[] {
  return words.map(word => {
    const text = literalOf(word) ?? ''
    return /^\+[A-Za-z]/.test(text) ? literalWord(`-${text.slice(1)}`) : word
  })
}
