import { fileConcern, type Concern } from '../concern.ts'
import { isOneWord, literalOf, type Word } from '../script.ts'
import { programs } from './program.ts'

/** Shell builtins that change nothing, and similar programs. */
export const BUILTINS = programs({
  'echo true false :': { does: 'read', operands: 'anything' },
  pwd: { does: 'read', operands: 'none', flags: 'LP' },
  printf: {
    does: 'read',
    operands: 'texts',
    free: true,
    optionsFirst: true,
    risky: '-v=',
    judge: (_, words) => formatConcerns(words),
  },
  'test [': { does: 'read', operands: 'texts', free: true, shapes: /^-/, judge: (_, words) => testConcerns(words) },
  cd: { does: 'read', operands: 'texts', judge: (_, words) => placeConcerns(words) },
})

/** `%n` assigns to the variable named by an operand, `-v` to the next word. Both evaluate an index in the name. */
function formatConcerns(words: readonly Word[]): readonly Concern[] {
  const at = words[1]?.source === '--' ? 2 : 1
  const format = words[at]
  if (!format) return []
  const text = literalOf(format)
  if (text === undefined && words.length === at + 1 && at === 1 && !/^["']?[\w ]/.test(format.source))
    return [{ at, what: 'the format of printf may be an option' }]
  const isUnknown = text === undefined && (words.length > at + 1 || !isOneWord(format))
  if (isUnknown || ASSIGNS.test(text?.replaceAll('%%', '') ?? ''))
    return [{ at, what: 'printf may assign to a variable' }]
  return []
}

const ASSIGNS = /%[^A-Za-z%(]*[hlLjztq]*n/

const UNARY = /^-[bcdefghknprsuwxzGLNOS]$/
const BINARY = /^(==?|!=|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/

/** `-v` evaluates an array index. An uncertain word may be `-v`, unless its position rules that out. */
function testConcerns([name, ...rest]: readonly Word[]): readonly Concern[] {
  const all = name?.source === '[' ? rest.slice(0, -1) : rest
  const operands = all[0]?.source === '!' ? all.slice(1) : all
  const texts = operands.map(literalOf)
  const isCertain = texts.every(text => text !== undefined && !/^-[vR]$/.test(text))
  const [first = '', second = ''] = texts
  const isPlaced =
    operands.every(isOneWord) &&
    ((texts.length === 2 && UNARY.test(first)) || (texts.length === 3 && BINARY.test(second)))
  return isCertain || isPlaced ? [] : [{ at: 1, what: 'the test may evaluate something' }]
}

/** Without an argument, or with a dash, the line does not show the target directory. */
function placeConcerns(words: readonly Word[]): readonly Concern[] {
  const [, where, ...others] = words
  const text = where && literalOf(where)
  if (text === undefined || text.startsWith('-') || others.length > 0)
    return [{ at: words.length, what: 'where it leads is not known' }]
  const what = fileConcern(text)
  return what === undefined ? [] : [{ at: 1, what }]
}

/** Builtins that redefine names, assign variables or run their arguments. A rule must spell the whole command. */
export const EVALUATING = programs({
  'eval source . trap alias unalias bind export declare typeset local readonly let unset enable shopt set fc history wait getopts':
    {
      does: 'run',
      operands: 'texts',
    },
  read: { does: 'run', operands: 'texts', flags: 'ers', options: '-a= -d= -i= -n= -N= -p= -t= -u=' },
  'mapfile readarray': { does: 'run', operands: 'texts', flags: 't', options: '-d= -n= -O= -s= -u= -c= -C!' },
  hash: { does: 'run', operands: 'texts', flags: 'lrdt', options: '-p!' },
  'complete compgen compopt': {
    does: 'run',
    operands: 'texts',
    flags: 'abcdefgjksuvDEIpr',
    options: '-A= -o= -C! -F! -G= -W= -P= -S= -X=',
  },
})
