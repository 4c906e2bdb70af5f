import fc from 'fast-check'
import type { Program } from '../../src/guards/shell/programs/program.ts'

/** Words that are an option, a value or a file depending on who reads them. */
const WORDS = [
  'a.txt',
  'b.txt',
  'data1.txt',
  'data*',
  'src',
  'out',
  'x.zip',
  'x.tar',
  './e.sh',
  '-',
  '--',
  '1',
  '1p',
  p('1e touch p'),
  p('w out'),
  '.',
  '-e',
  '-o',
  '-l',
  '--help',
  p('%n'),
  'HEAD',
  '+1',
  p('+!touch p'),
  'exec=./e.sh',
]

function p(text: string): string {
  return `'${text}'`
}

/** Lines with a program and options of its table, mangled in the ways in which readers of options differ. */
export function argumentLines(name: string, program: Program): fc.Arbitrary<string> {
  const letters = Array.from(program.flags ?? '')
  const listed = [...tokens(program.options), ...tokens(program.risky)]
  const subcommands = [...(program.subcommands?.keys() ?? [])]
  const word = fc.constantFrom(...WORDS)
  const option = fc.oneof(
    fc.constantFrom(...listed, ...(listed.length === 0 ? ['-x'] : [])),
    fc.constantFrom(...(letters.length === 0 ? ['-x'] : letters.map(letter => `-${letter}`))),
  )
  const argument = fc.oneof(
    { weight: 3, arbitrary: word },
    { weight: 2, arbitrary: option },
    {
      weight: 2,
      arbitrary: fc.tuple(option, word).map(([one, value]) => `${one}${one.startsWith('--') ? '=' : ''}${value}`),
    },
    { weight: 2, arbitrary: fc.tuple(option, word).map(([one, value]) => `${one} ${value}`) },
    { weight: 1, arbitrary: fc.tuple(option, fc.integer({ min: 1, max: 4 })).map(([one, cut]) => one.slice(0, -cut)) },
    {
      weight: 1,
      arbitrary: fc
        .array(
          option.filter(one => /^-[^-]$/.test(one)),
          { minLength: 2, maxLength: 3 },
        )
        .map(group => `-${group.map(one => one.slice(1)).join('')}`),
    },
  )
  const rest = fc.array(argument, { minLength: 1, maxLength: 5 })
  const sub = subcommands.length === 0 ? fc.constant('') : fc.constantFrom(...subcommands)
  return fc.tuple(sub, rest).map(([first, words]) => [name, first, ...words].filter(Boolean).join(' '))
}

const tokens = (text = ''): readonly string[] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map(token => token.replace(/[=@>!?#%$]+$/, ''))
