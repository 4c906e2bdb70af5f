import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compilePattern } from '../../src/knowledge/search/pattern/compile-pattern.ts'
import { ourLines } from './pattern/our-lines.ts'
import { ripgrepLines } from './pattern/ripgrep-lines.ts'

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
/** Where neighbours differ: beyond are long runs of ideographs, syllables, signs of one kind and what is not assigned. */
const isMixed = (code: number): boolean =>
  code < 0x3400 ||
  (code >= 0xa640 && code < 0xac00) ||
  (code >= 0xf900 && code < 0x12000) ||
  (code >= 0x1e000 && code < 0x1f000)

let directory = ''
let text = Buffer.alloc(0)

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolwright-unicode-'))
  // Characters of two planes, each on a line; beyond them few have a case or are part of words.
  const codes = Array.from({ length: 0x20000 }, (_, code) => code).filter(
    code => code > 13 && (code & 0xff800) !== 0xd800 && (LONG || isMixed(code) || code % 16 === 0),
  )
  text = Buffer.from(codes.map(code => `${String.fromCodePoint(code)}\n`).join(''))
  writeFileSync(join(directory, 'all'), text)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const CLASSES = [
  '\\w',
  '\\d',
  '\\s',
  '\\pL',
  '\\p{Lu}',
  '\\pN',
  '\\pP',
  '\\p{Sc}',
  '\\p{Greek}',
  '\\p{Han}',
  '\\p{Cyrillic}',
]
const FOLDED = [
  '(?i)[a-zß-ÿ]',
  '(?i)[α-ωа-я]',
  '(?i)[Ā-ɏ]',
  '(?i)[ⴀ-ⴥꙀ-ꟿ]',
  '(?i)[𐐀-𐑏𞤀-𞥃]',
  '(?i)\\p{Lu}',
  '(?i)[^a-zµ]',
]

it.each([...CLASSES, ...FOLDED])('%s holds the characters that ripgrep takes', pattern => {
  const options = { patterns: [pattern], regex: true }
  const compiled = compilePattern(options)
  if (compiled === undefined) throw new Error(`${pattern} is left to ripgrep`)
  const ours = ourLines(compiled, new Map([['all', text]]))
  expect(ours.length).toBeGreaterThan(0)
  expect(ours).toEqual(ripgrepLines(directory, options))
})
