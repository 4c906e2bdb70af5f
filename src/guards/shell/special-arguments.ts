import { sevenZip, tar, unzip } from './archive-arguments.ts'
import { fileConcern, valueConcern, type Concern } from './concern.ts'
import { ip } from './ip-arguments.ts'
import { make } from './make-arguments.ts'
import { optionConcerns, type Options } from './options.ts'
import { isOneWord, literalOf, type Word } from './script.ts'
import { curl, wget } from './transfer-arguments.ts'
import { less, more, vim } from './viewer-arguments.ts'

/** Programs whose arguments need a look of their own. */
export const SPECIAL_ARGUMENTS: ReadonlyMap<string, (words: readonly Word[]) => readonly Concern[]> = new Map([
  ['printf', printf],
  ['date', date],
  ['ps', ps],
  ['xxd', xxd],
  ['jq', jq],
  ['man', man],
  ['awk', awk],
  ['cd', cd],
  ['gawk', awk],
  ['mawk', awk],
  ['curl', curl],
  ['wget', wget],
  ['tar', tar],
  ['unzip', unzip],
  ['7z', sevenZip],
  ['less', less],
  ['more', more],
  ['vim', vim],
  ['vi', vim],
  ['nvim', vim],
  ['make', make],
  ['gmake', make],
  ['ip', ip],
  ['test', test],
  ['[', test],
])

const UNARY = /^-[bcdefghknprsuwxzGLNOS]$/
const BINARY = /^(==?|!=|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/

/** `-v` evaluates the index of an element, and what is not certain may be `-v` wherever its place does not say otherwise. */
function test([name, ...rest]: readonly Word[]): readonly Concern[] {
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

/** `-v` assigns, and an index in the name it assigns to is evaluated. */
function printf([, first]: readonly Word[]): readonly Concern[] {
  const text = first && literalOf(first)
  if (!first || (text !== undefined && (!/^-./.test(text) || text === '--'))) return []
  return isOneWord(first) && /^"?[^"$`-]/.test(first.source)
    ? []
    : [{ at: 1, what: 'the format of printf may be an option' }]
}

const DATE: Options = {
  flags: 'uRjn',
  values: 'd',
  files: 'r',
  operands: 'any',
  shapes: /^-I(date|hours|minutes|seconds|ns)?$/,
  long: 'date= utc universal rfc-email rfc-2822 iso-8601? rfc-3339= reference@ debug',
}

function date(words: readonly Word[]): readonly Concern[] {
  const isValue = (at: number): boolean =>
    /^(-[a-zA-Z]*[dr]|--(date|rfc-3339|reference))$/.test(words[at - 1]?.source ?? '')
  const sets = words.flatMap((word, at) =>
    at > 0 && !/^["']?[+-]/.test(word.source) && !isValue(at) ? [{ at, what: 'it may set the clock' }] : [],
  )
  return [...sets, ...optionConcerns(DATE, words)]
}

const PS: Options = {
  flags: 'aAdefFlyjwHNTMLmcVZ',
  values: 'oOpqstuUgGCk',
  operands: 'any',
  long: 'sort= forest pid= ppid= user= User= group= format= no-headers headers width= cols= rows= deselect version',
  check: text => (/environ/i.test(text) ? 'it shows the environment of processes' : undefined),
}

/** Without a dash `e` means the environment, not every process. */
function ps(words: readonly Word[]): readonly Concern[] {
  const isValue = (at: number): boolean => /^-[a-zA-Z]*[oOpqstuUgGCk]$/.test(words[at - 1]?.source ?? '')
  const bare = words.flatMap((word, at) => {
    const text = literalOf(word)
    if (at === 0 || text === undefined || text.startsWith('-') || isValue(at) || /^([afhjlmuvwxSTr]+|\d+)$/.test(text))
      return []
    return [{ at, what: `'${text}' may show the environment of processes` }]
  })
  return [...bare, ...optionConcerns(PS, words)]
}

/** One file at most: a second one is written, and so is what `-r` turns back. */
function xxd(words: readonly Word[]): readonly Concern[] {
  let files = 0
  const concerns: Concern[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at]
    const text = word && literalOf(word)
    if (text === undefined) concerns.push({ at, what: 'a value is not known' })
    else if (/^-(c|cols|g|groupsize|l|len|n|name|o|s|seek|R)$/.test(text))
      concerns.push(...told(at, valueConcern(words[++at], false)))
    else if (text.startsWith('-') && text !== '-') {
      if (
        !/^-(a|autoskip|b|bits|C|capitalize|d|e|E|EBCDIC|i|include|p|ps|postscript|plain|u|uppercase|v|version|[cglos]\d+)$/.test(
          text,
        )
      )
        concerns.push({ at, what: `the option ${text} is not known to be harmless` })
    } else if (++files > 1) concerns.push({ at, what: `it writes to ${text}` })
    else concerns.push(...told(at, fileConcern(text)))
  }
  return concerns
}

const told = (at: number, what: string | undefined): readonly Concern[] => (what === undefined ? [] : [{ at, what }])

const JQ: Options = {
  flags: 'ncrjasSCMeRh',
  operands: 'text-then-files',
  long: `null-input compact-output raw-output join-output raw-output0 ascii-output slurp sort-keys color-output monochrome-output
    exit-status raw-input tab indent= stream stream-errors seq unbuffered help version`,
  check: text =>
    /\$ENV|\$__|(^|[^.\w"])env\b|\b(import|include)\b/.test(text) ? 'the filter looks outside its input' : undefined,
}

function jq(words: readonly Word[]): readonly Concern[] {
  // A name and its value belong together: --arg name value.
  const rest: Word[] = []
  const places: number[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (!word) break
    if (/^--arg(json)?$/.test(word.source) && words.slice(at + 1, at + 3).every(isOneWord)) at += 2
    else {
      rest.push(word)
      places.push(at)
    }
  }
  return optionConcerns(JQ, rest).map(({ at, what }) => ({ at: places[at] ?? at, what }))
}

const MAN: Options = {
  flags: 'kfwWai',
  values: 'sS',
  operands: 'any',
  long: 'apropos whatis where path where-cat all sections= ignore-case match-case names-only',
  check: text => (/^[\w.+:-]+$/.test(text) ? undefined : 'it may be the name of a file'),
}

function man(words: readonly Word[]): readonly Concern[] {
  return optionConcerns(MAN, words)
}

const AWK: Options = {
  values: 'Fv',
  operands: 'text-then-files',
  check: text => (/system|getline|close|[|>@`]/.test(text) ? 'the program may run or write something' : undefined),
}

function awk(words: readonly Word[]): readonly Concern[] {
  return optionConcerns(AWK, words)
}

/** Without an argument, or with a dash, it leads to a place that the line does not show. */
function cd(words: readonly Word[]): readonly Concern[] {
  const [, where, ...others] = words
  const text = where && literalOf(where)
  if (text === undefined || text.startsWith('-') || others.length > 0)
    return [{ at: words.length, what: 'where it leads is not known' }]
  return told(1, fileConcern(text))
}
