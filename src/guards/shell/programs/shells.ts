import { literalOf, type Word } from '../script.ts'
import { programs } from './program.ts'
import { literalWord } from './read-arguments.ts'

/** Shells as rules that ask or deny read them: behind the script or the text everything is its own. */
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

/** `+x` takes an option back, and is no script. */
function withDashes(words: readonly Word[]): readonly Word[] {
  return words.map(word => {
    const text = literalOf(word) ?? ''
    return /^\+[A-Za-z]/.test(text) ? literalWord(`-${text.slice(1)}`) : word
  })
}
