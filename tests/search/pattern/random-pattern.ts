import type { PatternOptions } from '../../../src/knowledge/search/pattern/types.ts'
import type { Random } from '../../patch-differential/random.ts'

type Some<T> = readonly [T, ...T[]]

const CHARACTERS: Some<string> = ['a', ...'abbcefikosxKSZ019_ .-ßſéÉσ日😀ı']
const LITERALS: Some<string> = [
  'foo',
  'bar',
  'kelvin',
  'Kelvin',
  'import',
  'strasse',
  'straße',
  'istanbul',
  'TODO',
  'FIXME',
  'ab',
  'école',
  'σίσ',
  'padding',
]
const CLASSES: Some<string> = [
  '\\w',
  '\\d',
  '\\s',
  '\\W',
  '\\D',
  '\\S',
  '.',
  '\\pL',
  '\\p{Lu}',
  '\\P{L}',
  '\\p{Greek}',
  '\\p{Ll}',
  '\\pN',
]
const SETS: Some<string> = [
  '\\w',
  '\\d',
  '\\s',
  '\\W',
  '\\D',
  '\\S',
  '\\pL',
  '\\p{Lu}',
  '\\P{L}',
  '\\p{Greek}',
  '\\p{Ll}',
  '\\pN',
]
const LETTERS: Some<string> = ['a', ...'bcefikosxKSZ019_ .ßſéÉσ日😀ı']
const LOOKS: Some<string> = [
  '^',
  '$',
  '\\b',
  '\\B',
  '\\<',
  '\\>',
  '\\b{start}',
  '\\b{end}',
  '\\b{start-half}',
  '\\b{end-half}',
]
const NAMED: Some<string> = [
  'alpha',
  'digit',
  'alnum',
  'upper',
  'lower',
  'punct',
  'space',
  'word',
  'xdigit',
  '^alpha',
  'blank',
  'cntrl',
  'print',
  'ascii',
]
const ESCAPES: Some<string> = [
  '\\.',
  '\\-',
  '\\(',
  '\\\\',
  '\\t',
  '\\x41',
  '\\x{e9}',
  '\\u{df}',
  '\\u212a',
  '\\$',
  '\\ ',
  '\\"',
  '\\f',
  '\\v',
  '\\x{1f600}',
  '\\/',
  '\\_',
]
const REPEATS: Some<string> = [
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{2}',
  '{1,3}',
  '{0,2}',
  '{2,}',
  '{1,2}?',
  '{0}',
  '{ 1 , 2 }',
  '{3,5}',
  '++',
  '*+',
]
const GROUPS: Some<string> = [
  '(',
  '(',
  '(?:',
  '(?:',
  '(?P<n>',
  '(?<m>',
  '(?i:',
  '(?s:',
  '(?x: ',
  '(?U:',
  '(?-i:',
  '(?i-s:',
  '(?-u:',
  '(?m:',
  '(?x-i:',
]
const STRANGE: Some<string> = [
  '\\A',
  '\\z',
  '(?-m)^',
  '\\1',
  '(?=a)',
  '[',
  '{',
  '\\Q',
  '\\r',
  '\\n',
  '\\x00',
  '(?R)',
  '[[:nope:]]',
  '\\p{Foo}',
  '(',
  '\\p{sc=Greek}',
  '\\h',
]

/** What to search for: a text or an expression of ripgrep's syntax, with the flags of a search. */
export function randomPattern(random: Random): PatternOptions {
  const regex = random.chance(0.8)
  const patterns = Array.from({ length: random.chance(0.15) ? 2 + random.int(3) : 1 }, () =>
    regex ? expression(random) : text(random),
  )
  return {
    patterns,
    regex,
    ignoreCase: random.chance(0.3),
    word: random.chance(0.2),
    invert: random.chance(0.1),
  }
}

function text(random: Random): string {
  const kind = random.int(4)
  if (kind === 0) return random.pick(LITERALS)
  if (kind === 1) return `${random.pick(LITERALS)}${random.pick(CHARACTERS)}${random.pick(LITERALS)}`
  return Array.from({ length: 1 + random.int(3) }, () => random.pick(CHARACTERS)).join('')
}

function expression(random: Random): string {
  const start = random.chance(0.1) ? random.pick(['(?i)', '(?x)', '(?s)', '(?U)', '(?x) ', '(?i-u)', '(?im)']) : ''
  return start + branches(random, 3)
}

function branches(random: Random, depth: number): string {
  const count = random.chance(0.2) ? 2 + random.int(2) : 1
  return Array.from({ length: count }, () => sequence(random, depth)).join('|')
}

const sequence = (random: Random, depth: number): string =>
  Array.from({ length: random.chance(0.03) ? 0 : 1 + random.int(4) }, () => piece(random, depth)).join(
    random.chance(0.02) ? ' ' : '',
  )

function piece(random: Random, depth: number): string {
  const one = atom(random, depth)
  return random.chance(0.25) ? one + random.pick(REPEATS) : one
}

function atom(random: Random, depth: number): string {
  if (random.chance(0.008)) return random.pick(STRANGE)
  const kind = random.int(depth > 0 ? 12 : 10)
  if (kind < 3) return random.pick(CHARACTERS)
  if (kind < 4) return random.pick(LITERALS)
  if (kind < 6) return random.pick(CLASSES)
  if (kind < 7) return random.pick(LOOKS)
  if (kind < 8) return random.pick(ESCAPES)
  if (kind < 10) return bracketed(random, 2)
  return `${random.pick(GROUPS)}${branches(random, depth - 1)})`
}

function bracketed(random: Random, depth: number): string {
  const first = random.chance(0.1) ? random.pick([']', '-', '--']) : ''
  const operation = random.chance(0.2) ? random.pick(['&&', '--', '~~']) + items(random, depth) : ''
  return `[${random.chance(0.3) ? '^' : ''}${first}${items(random, depth)}${operation}]`
}

const items = (random: Random, depth: number): string =>
  Array.from({ length: 1 + random.int(3) }, () => item(random, depth)).join('')

function item(random: Random, depth: number): string {
  const kind = random.int(9)
  if (kind < 3) return random.pick(LETTERS)
  if (kind < 5)
    return random.pick(['a-z', 'A-Z', '0-9', 'a-k', 'é-ő', '\\x20-\\x7e', 'Α-Ω', '\\u{100}-\\u{17f}', 'k-s', '!-/'])
  if (kind < 6) return random.pick(SETS)
  if (kind < 7) return random.pick(ESCAPES)
  if (kind < 8) return `[:${random.pick(NAMED)}:]`
  return depth > 0 ? bracketed(random, depth - 1) : 'q'
}
