import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileGlob, escapeGlob, matchGlob } from './glob.ts'
import { processorMs } from '../../tests/processor-time.ts'

const runs = process.env['TOOLWRIGHT_LONG'] === undefined ? 2_000 : 100_000

describe('matchGlob', () => {
  it.each([
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['src/**', 'src/b/a.ts', true],
    ['src/**', 'src', true],
    ['src/**', 'srcs/a', false],
    ['src/', 'src/b/a.ts', true],
    ['**', '', true],
    ['**', '.', true],
    ['**/.env*', '.env', true],
    ['**/.env*', 'a/b/.env.local', true],
    ['*', '.hidden', true],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['a/**/z', 'a/b/c', false],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['a?c', 'a😀c', true],
    ['[a-c]x', 'bx', true],
    ['*.[ch]', 'a.c', true],
    ['*.[ch]', '.h', true],
    ['*.[ch]', 'a.cc', false],
    ['?[ch]', 'c', false],
    ['*?[ch]', 'c', false],
    ['a*[!a]', 'a😀', true],
    ['*[😀]?', '😀😀', true],
    ['*[😀]?', '😀', false],
    ['[!a-c]x', 'bx', false],
    ['[]x]y', ']y', true],
    ['[\\]]y', ']y', true],
    ['{a,b/c}.ts', 'b/c.ts', true],
    ['{a,{b,c}}d', 'cd', true],
    ['\\*.ts', '*.ts', true],
    ['\\*.ts', 'a.ts', false],
    ['a,b', 'a,b', true],
    ['a**b', 'axyb', true],
    ['a**b', 'a/b', false],
    ['./a', 'a', true],
  ])('%s on %s is %s', (pattern, path, expected) => {
    expect(matchGlob(pattern, path)).toBe(expected)
  })

  it('agrees with a plain recursive matcher', () => {
    const letter = ['a', 'B', '.', 'é', '😀', '\udcff']
    const name = fc
      .string({ unit: fc.constantFrom(...letter, 'a', '*', '*', '?'), minLength: 1, maxLength: 5 })
      .filter(isName)
    const pattern = fc
      .array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 5 })
      .map(parts => parts.join('/'))
    const path = fc
      .array(fc.string({ unit: fc.constantFrom(...letter, 'a'), minLength: 1, maxLength: 4 }).filter(isName), {
        minLength: 1,
        maxLength: 5,
      })
      .map(parts => parts.join('/'))
    fc.assert(
      fc.property(pattern, path, (glob, text) => {
        expect(matchGlob(glob, text)).toBe(oracle(glob.split('/'), text.split('/')))
      }),
      { numRuns: runs },
    )
  })

  it('says what the last name of all that matches holds', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '?', '*', '[ab]', '{b,é*}'),
      minLength: 1,
      maxLength: 5,
    })
    const path = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(fc.constantFrom('', '**/', '*/'), name, path, (start, end, names) => {
        const { matches, lastTexts } = compileGlob(start + end)
        if (!matches(names.join('/'))) return
        expect(lastTexts.some(texts => texts.every(text => names.at(-1)?.includes(text)))).toBe(true)
      }),
      { numRuns: runs },
    )
    expect(compileGlob('**/*.{d.ts,[ch]}').lastTexts).toEqual([
      ['', '.d.ts'],
      ['', '.', ''],
    ])
    expect(compileGlob('src/**').lastTexts).toEqual([[]])
  })

  it('agrees with itself on what lies below a directory', () => {
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '*', '**', 'a*'), { minLength: 1, maxLength: 4 })
      .map(parts => parts.join('/'))
    const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(pattern, path, fc.nat(3), (glob, names, cut) => {
        const compiled = compileGlob(glob)
        const directory = names.slice(0, Math.min(cut, names.length - 1)).join('/')
        const inside = names.join('/')
        if (compiled.matches(inside)) expect(compiled.reaches(directory)).toBe(true)
        if (compiled.covers(directory)) expect(compiled.matches(inside)).toBe(true)
        if (compiled.names(directory)) expect(compiled.reaches(directory)).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  it('matches exactly the escaped path', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '*', '?', '[', ']', '{', '}', ',', '\\'), minLength: 1 }),
        path => {
          expect(matchGlob(escapeGlob(path), path)).toBe(true)
          expect(matchGlob(escapeGlob(path), `${path}x`)).toBe(false)
        },
      ),
      { numRuns: runs },
    )
  })

  it('stays fast where backtracking matchers hang', () => {
    const started = processorMs()
    expect(matchGlob(`${'**/*a*/'.repeat(50)}x`, 'aaaaaaaaaa/'.repeat(200) + 'b')).toBe(false)
    expect(matchGlob('*a'.repeat(300), 'a'.repeat(5_000) + 'b')).toBe(false)
    expect(processorMs() - started).toBeLessThan(2_000)
  })
})

describe('compileGlob', () => {
  it('knows what it covers, reaches and names', () => {
    expect(compileGlob('src/**').covers('src/a')).toBe(true)
    expect(compileGlob('src/*').covers('src/a')).toBe(false)
    expect(compileGlob('src/**/*.ts').covers('src')).toBe(false)
    expect(compileGlob('**/.env').reaches('src')).toBe(true)
    expect(compileGlob('docs/**').reaches('src')).toBe(false)
    expect(compileGlob('src').reaches('src')).toBe(false)
    expect(compileGlob('config/prod/**').names('config')).toBe(true)
    expect(compileGlob('**/.env').names('config')).toBe(false)
  })

  it.each([
    ['', /empty/],
    ['/etc/x', /relative/],
    ['a//b', /empty name/],
    ['../x', /no name/],
    ['[a', /not closed/],
    ['[b-a]', /backwards/],
    ['{a,b', /not closed/],
    ['a}', /no '{'/],
    ['{a}', /one alternative/],
    ['a\\', /lone/],
    ['{a,b}'.repeat(7), /more than 100 alternatives/],
    [`{${'a,'.repeat(200)}a}`, /more than 100 alternatives/],
    ['x'.repeat(1_001), /longer than 1000/],
    ['a\0b', /NUL/],
  ])('refuses a glob: %#', (pattern, message) => {
    expect(() => compileGlob(pattern)).toThrow(message)
    expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  it('refuses a brace bomb before it grows', () => {
    const started = processorMs()
    expect(() => compileGlob('{a,b}'.repeat(199))).toThrow(/alternatives/)
    expect(() => compileGlob(`${'{a,'.repeat(200)}b${'}'.repeat(200)}`)).toThrow(/alternatives/)
    expect(processorMs() - started).toBeLessThan(500)
  })
})

/** Slow and plain on purpose. */
function oracle(pattern: readonly string[], path: readonly string[]): boolean {
  const [head, ...rest] = pattern
  if (head === undefined) return path.length === 0
  if (head === '**') return oracle(rest, path) || (path.length > 0 && oracle(pattern, path.slice(1)))
  return path.length > 0 && oracleName([...head], [...(path[0] ?? '')]) && oracle(rest, path.slice(1))
}

function oracleName([first, ...rest]: readonly string[], [char, ...chars]: readonly string[]): boolean {
  if (first === undefined) return char === undefined
  if (first === '*')
    return oracleName(rest, given(char, chars)) || (char !== undefined && oracleName([first, ...rest], chars))
  return char !== undefined && (first === '?' || first === char) && oracleName(rest, chars)
}

const given = (char: string | undefined, chars: readonly string[]) => (char === undefined ? [] : [char, ...chars])

const isName = (text: string): boolean => text !== '.' && text !== '..' && text !== '**'
