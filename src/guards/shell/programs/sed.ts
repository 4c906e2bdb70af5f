import type { Concern } from '../concern.ts'
import { literalOf } from '../script.ts'
import { isHarmlessSed } from '../sed-script.ts'
import { programs } from './program.ts'
import { valuesOf } from './read-arguments.ts'
import type { Reading } from './reading.ts'

/** Covers scripts that only print and change text. Scripts in files and in-place edits ask. */
export const SED = programs({
  'sed gsed': {
    does: 'read',
    operands: 'text-then-files',
    textBy: '-e -f --expression --file',
    flags: 'nErsuz',
    options: `-e= -l= --quiet --silent --expression= --regexp-extended --separate --unbuffered --null-data --zero-terminated --posix
    --debug --sandbox --line-length=`,
    risky: '-i? -f@ --in-place? --file@ --follow-symlinks',
    judge: scriptConcerns,
  },
})

function scriptConcerns(reading: Reading): readonly Concern[] {
  const scriptTexts = valuesOf(reading, '-e', '--expression')
  const scripts =
    scriptTexts.length > 0 || valuesOf(reading, '-f', '--file').length > 0 ? scriptTexts : reading.operands.slice(0, 1)
  return scripts.flatMap(({ at, word }) => {
    const text = literalOf(word)
    const isHarmless = text !== undefined && isHarmlessSed(text)
    return isHarmless ? [] : [{ at, what: 'the script of sed may run or write something' }]
  })
}
