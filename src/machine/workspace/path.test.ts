import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ToolError } from '../../kernel/error.ts'
import { nameFromBytes, nameToBytes } from './name.ts'
import { isCanonical, parentOf, parsePath, show } from './path.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const ROOT = '/home/me/ws'
const codeOf = (path: unknown): string => {
  try {
    parsePath(path as string, ROOT)
    return 'ok'
  } catch (error) {
    return error instanceof ToolError ? error.code : 'defect'
  }
}

describe('parsePath', () => {
  it.each([
    ['a.txt', ['a.txt']],
    ['src//index.ts', ['src', 'index.ts']],
    ['./src/./x', ['src', 'x']],
    ['.', []],
    ['./', []],
    ['src/', ['src', '.']],
    ['src/.', ['src', '.']],
    ['src/..', ['src', '..']],
    ['a/../../b', ['a', '..', '..', 'b']],
    ['..foo/foo../...', ['..foo', 'foo..', '...']],
    [ROOT, []],
    [`${ROOT}/`, ['.']],
    [`/home//./me/ws/a`, ['a']],
    [`/home/you/../me/ws/a`, ['a']],
    [`${ROOT}/src/../../x`, ['src', '..', '..', 'x']],
    ['%2e%2e/x', ['%2e%2e', 'x']],
    ['~/x', ['~', 'x']],
    ['$HOME', ['$HOME']],
    ['back\\slash', ['back\\slash']],
    ['..\\..\\x', ['..\\..\\x']],
    ['cafe\u0301', ['cafe\u0301']],
    ['-rf', ['-rf']],
    ['new\nline', ['new\nline']],
    ['bad\udcff', ['bad\udcff']],
  ])('reads %j as %j', (path, segments) => {
    expect(parsePath(path, ROOT)).toEqual(segments)
  })

  it.each([
    '/',
    '/etc/passwd',
    '//etc/passwd',
    `${ROOT}-evil/x`,
    `${ROOT}2`,
    `${ROOT} `,
    `${ROOT}..`,
    '/home/me/WS/x',
    '/home/me',
  ])('SG-18: refuses the absolute path %j', path => {
    expect(codeOf(path)).toBe('outside_workspace')
  })

  it.each<unknown>([
    undefined,
    null,
    12.5,
    [],
    ['a.txt'],
    { path: 'a.txt' },
    { toString: () => 'a.txt' },
    '',
    'a\0',
    `${ROOT}\0/x`,
    '\0',
    'x'.repeat(256),
    '😀'.repeat(64),
    'a/'.repeat(2049),
    '\ud800',
    'a\udc41',
    '\udcc3\udca9',
  ])('refuses %j as input', path => {
    expect(codeOf(path)).toBe('invalid_input')
  })

  it('takes names and paths up to the limits', () => {
    expect(parsePath('x'.repeat(255), ROOT)).toEqual(['x'.repeat(255)])
    expect(parsePath(`${'x'.repeat(255)}/`.repeat(15) + 'x'.repeat(255), ROOT)).toHaveLength(16)
    expect(parsePath('a/'.repeat(199) + 'a', ROOT)).toHaveLength(200)
    expect(codeOf('a/'.repeat(200) + 'a')).toBe('invalid_input')
  })

  it('refuses a path of a megabyte quickly', () => {
    const start = processorMs()
    expect(codeOf('../'.repeat(350_000))).toBe('invalid_input')
    expect(processorMs() - start).toBeLessThan(1000)
  })
})

describe('names', () => {
  it('come back byte for byte, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), bytes => {
        const name = nameFromBytes(Buffer.from(bytes))
        expect(nameToBytes(name)?.equals(bytes)).toBe(true)
      }),
    )
  })

  it('have one spelling each', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 4 }), (text, bytes) => {
        const escaped = text + Array.from(bytes, byte => String.fromCharCode(0xdc00 + byte)).join('')
        const back = nameToBytes(escaped)
        expect(back === undefined || nameFromBytes(back) === escaped).toBe(true)
      }),
    )
  })

  it('keep what is not UTF-8 apart from what is', () => {
    expect(nameFromBytes(Buffer.from([0x61, 0xff, 0xc3, 0xa9]))).toBe('a\udcffé')
    expect(nameFromBytes(Buffer.from([0xed, 0xa0, 0x80]))).toBe('\udced\udca0\udc80')
    expect(nameToBytes('a\udcff')).toEqual(Buffer.from([0x61, 0xff]))
  })
})

describe('the words for a path', () => {
  it('show nothing that a terminal would obey', () => {
    expect(show('a\u001b[2J\u202eb\n')).toBe("'a\\u{1b}[2J\\u{202e}b\\u{a}'")
    expect(show('x'.repeat(1000)).length).toBeLessThan(210)
  })

  it('know a canonical path', () => {
    expect(['a', 'a/b', '..a/b..', 'a b'].every(isCanonical)).toBe(true)
    expect(['', '.', '..', '/a', 'a/', 'a//b', 'a/../b', './a', 'a\0', 'x'.repeat(256)].some(isCanonical)).toBe(false)
    expect([parentOf('a'), parentOf('a/b/c')]).toEqual(['.', 'a/b'])
  })
})
