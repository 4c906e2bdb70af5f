import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readText } from '../read-text.ts'
import { replaceText, type Edit, type ReplaceOptions } from './replace-text.ts'
import { errorOf, workspaceWith } from '../../../../tests/text/workspace-for-tests.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

const replace = (before: Buffer | string, edits: readonly Edit[], options: Partial<ReplaceOptions> = {}) => {
  using place = workspaceWith({ 'a.ts': before })
  const done = replaceText(place.ws, 'a.ts', edits, { onAmbiguous: 'refuse', ...options })
  return { ...done, now: place.ws.read('a.ts').bytes }
}
const failure = (before: Buffer | string, edits: readonly Edit[], options: Partial<ReplaceOptions> = {}) =>
  errorOf(() => replace(before, edits, options))

describe('replaceText', () => {
  it('says what was replaced and what the file is now', () => {
    const done = replace('one\ntwo\nthree\n', [{ old: 'two\nth', new: '2\nTH' }])
    expect(done).toEqual({
      path: 'a.ts',
      applied: [{ line: 2, lines: 2, old: 'two\nth', new: '2\nTH' }],
      occurrences: [1],
      bytes: 12,
      hash: createHash('sha256').update('one\n2\nTHree\n').digest('hex'),
      now: Buffer.from('one\n2\nTHree\n'),
    })
  })

  it('applies edits in order, each on the result of the one before', () => {
    const done = replace('a b', [
      { old: 'a', new: 'b\nc' },
      { old: 'c b', new: 'd' },
    ])
    expect(done.now.toString()).toBe('b\nd')
    expect(done.applied.map(({ line }) => line)).toEqual([1, 2])
  })

  it('applies all edits or none', () => {
    using place = workspaceWith({ 'a.ts': 'a b' })
    const edits = [
      { old: 'a', new: 'x' },
      { old: 'nowhere', new: 'y' },
    ]
    const error = errorOf(() => replaceText(place.ws, 'a.ts', edits, { onAmbiguous: 'refuse' }))
    expect(error.code).toBe('no_match')
    expect(error.message).toBe('Text not found in a.ts (edit 2 of 2)')
    expect(error.details).toMatchObject({ edit: 1, of: 2 })
    expect(place.ws.changes()).toEqual([])
    expect(readFileSync(place.onDisk('a.ts'), 'utf8')).toBe('a b')
  })

  it('refuses an empty old text, an edit that changes nothing, and no edits', () => {
    expect(failure('a', [{ old: '', new: 'x' }]).code).toBe('invalid_input')
    expect(failure('a', [{ old: 'a', new: 'a' }]).code).toBe('invalid_input')
    expect(failure('a', []).code).toBe('invalid_input')
  })

  it('finds a long text among almost the same', () => {
    const old = `${'a'.repeat(5000)}b${'a'.repeat(5000)}`
    const rest = 'a'.repeat(95_000)
    expect(replace(`${rest}${old}${rest}`, [{ old, new: 'x' }]).now.toString()).toBe(`${rest}x${rest}`)
    expect(failure(`${rest}${old}${rest}${old}`, [{ old, new: 'x' }]).details).toMatchObject({ occurrences: 2 })
  })

  it('refuses several places and names their lines', () => {
    const error = failure('x = 1\ny\nx = 1\nx = 1\n', [{ old: 'x = 1', new: 'x = 2' }])
    expect(error.code).toBe('ambiguous')
    expect(error.details).toMatchObject({ lines: [1, 3, 4], occurrences: 3 })
    expect(error.hint).toMatch('lines 1, 3, 4')
  })

  it('takes overlapping places for several', () => {
    expect(failure('}\n}\n}\n', [{ old: '}\n}', new: '}' }]).code).toBe('ambiguous')
    expect(replace('aaa', [{ old: 'aa', new: 'b', all: true }]).now.toString()).toBe('ba')
  })

  it('CA-06: replaces the first of several where the contract says so, and counts them all', () => {
    const done = replace('a\na\na\n', [{ old: 'a', new: 'b' }], { onAmbiguous: 'first' })
    expect(done.now.toString()).toBe('b\na\na\n')
    expect(done).toMatchObject({ occurrences: [3], applied: [{ line: 1 }] })
  })

  it('replaces all where that is said, with the line of each', () => {
    const done = replace('a\nb a\r\na', [{ old: 'a', new: 'x\ny', all: true }])
    expect(done.now.toString()).toBe('x\ny\nb x\r\ny\r\nx\r\ny')
    expect(done.applied.map(({ line }) => line)).toEqual([1, 2, 3])
    expect(done.occurrences).toEqual([3])
  })

  it('finds LF in CRLF text and gives the new text the line ends of the place', () => {
    const done = replace('a\r\nb\r\nc\n', [{ old: 'a\nb\nc', new: 'a\nB\nC\nd' }])
    expect(done.now.toString()).toBe('a\r\nB\r\nC\r\nd\n')
    expect(done.applied[0]?.old).toBe('a\r\nb\r\nc')
  })

  it('never divides a CRLF', () => {
    expect(replace('a\r\nb\r\n', [{ old: '\nb', new: '' }]).now.toString()).toBe('a\r\n')
    expect(replace('a\r\nb\r\n', [{ old: 'a\n', new: '' }]).now.toString()).toBe('b\r\n')
  })

  it('changes line ends where exactly that is asked for', () => {
    expect(replace('a\r\nb', [{ old: 'a\r\nb', new: 'a\nb' }]).now.toString()).toBe('a\nb')
    expect(replace('a\nb', [{ old: 'a\nb', new: 'a\r\nb' }]).now.toString()).toBe('a\r\nb')
    expect(replace('a\nb\n', [{ old: 'a\r\nb', new: 'a\r\nc' }]).now.toString()).toBe('a\nc\n')
  })

  it('does not turn to similar text while the exact one is there', () => {
    const done = replace('  x\nx\n', [{ old: 'x\n', new: 'y\n', match: 'lines' }], { onAmbiguous: 'first' })
    expect(done.now.toString()).toBe('  y\nx\n')
  })

  it('refuses a file that is not the one expected', () => {
    const actual = createHash('sha256').update('a').digest('hex')
    const error = failure('a', [{ old: 'a', new: 'b' }], { expect: 'e'.repeat(64) })
    expect(error.code).toBe('conflict')
    expect(error.details).toEqual({ expected: 'e'.repeat(64), actual })
    expect(replace('a', [{ old: 'a', new: 'b' }], { expect: actual }).bytes).toBe(1)
    expect(failure('a', [{ old: 'a', new: 'b' }], { expect: 'absent' }).code).toBe('exists')
  })

  it('refuses a file that changed since this session read it, where the text is not unique', () => {
    using place = workspaceWith({ 'a.ts': 'a b' })
    readText(place.ws, place.memory, 'a.ts')
    writeFileSync(place.onDisk('a.ts'), 'a c')
    const edits = [{ old: 'a', new: 'b' }]
    const { hash: expected } = readText(place.ws, { note() {} }, 'a.ts')
    expect(replaceText(place.open(), 'a.ts', edits, { onAmbiguous: 'refuse', expect: expected }).bytes).toBe(3)
    writeFileSync(place.onDisk('a.ts'), 'a a')
    const error = errorOf(() => replaceText(place.open(), 'a.ts', edits, { onAmbiguous: 'first' }))
    expect(error.code).toBe('conflict')
  })

  it('refuses data, and characters that the encoding of the file does not have', () => {
    expect(failure(Buffer.from('a\0b'), [{ old: 'a', new: 'b' }]).code).toBe('binary')
    const latin = Buffer.from('caf\xe9 a\n', 'latin1')
    expect(replace(latin, [{ old: 'café', new: 'thé' }]).now).toEqual(Buffer.from('th\xe9 a\n', 'latin1'))
    expect(failure(latin, [{ old: 'a\n', new: '€\n' }]).message).toMatch('U+20AC')
  })

  it('keeps a damaged UTF-8 file as it is, and puts no single-byte letters into it', () => {
    const damaged = Buffer.concat([Buffer.from('naïve a '), Buffer.from([0xff, 0x0a])])
    expect(replace(damaged, [{ old: ' a ', new: ' b ' }]).now).toEqual(
      Buffer.concat([Buffer.from('naïve b '), Buffer.from([0xff, 0x0a])]),
    )
    expect(failure(damaged, [{ old: ' a ', new: ' é ' }]).code).toBe('invalid_input')
  })

  it('refuses new text that leaves code out', () => {
    const error = failure('a\nb\n', [{ old: 'a\n', new: 'x\n// ... rest unchanged\n' }])
    expect(error.code).toBe('invalid_input')
    expect(error.message).toBe('The new text leaves code out at line 2: // ... rest unchanged')
    expect(error.hint).toMatch('smaller edits')
    expect(replace('// ...\na\n', [{ old: '// ...\na', new: '// ...\nb' }]).bytes).toBe(9)
    expect(replace('a\n', [{ old: 'a', new: '// ...' }], { elided: 'allow' }).bytes).toBe(7)
  })
})

describe('what is said of a text that is not there', () => {
  const file = [
    'function add(a, b) {',
    '  return a + b',
    '}',
    '',
    'function sub(a, b) {',
    '  return a - b',
    '}',
    '',
  ].join('\n')

  it('shows the nearest text with its lines', () => {
    const error = failure(file, [{ old: 'function sub(x, y) {\n  return x - y\n}', new: 'x' }])
    expect(error.code).toBe('no_match')
    expect(error.details).toMatchObject({
      nearest: { from: 5, to: 7, text: 'function sub(a, b) {\n  return a - b\n}' },
    })
    expect(error.hint).toMatch('lines 5-7')
  })

  it('finds the nearest line for a part of a line', () => {
    const error = failure(file, [{ old: 'return a+b', new: 'x' }])
    expect(error.details).toMatchObject({ nearest: { from: 2, to: 2, text: '  return a + b' } })
  })

  it('says so when only blanks or quotes differ', () => {
    const error = failure(file, [{ old: 'function sub(a, b) {\n    return a - b\n}', new: 'x' }])
    expect(error.details).toMatchObject({ nearest: { from: 5, to: 7, similarity: 1 } })
    expect(error.hint).toMatch('differ only in blanks')
  })

  it('says so when the edit is already applied', () => {
    const error = failure(file, [{ old: 'return a * b', new: 'return a - b' }])
    expect(error.details).toMatchObject({ alreadyApplied: true, line: 6 })
    expect(error.hint).toBe('The new text is already there, at line 6: this edit seems to be applied.')
  })

  it('shows nothing where nothing is like it', () => {
    const error = failure(file, [{ old: 'ZZZZ QQQQ 12345', new: 'x' }])
    expect(error.details?.['nearest']).toBeUndefined()
    expect(error.hint).toBe('Nothing like it is there: read the file again.')
    expect(failure('', [{ old: 'a', new: 'b' }]).code).toBe('no_match')
    expect(failure('a', [{ old: '\n \n', new: 'b' }]).code).toBe('no_match')
  })

  it('answers soon for big and for hostile files', () => {
    const big = Array.from({ length: 220_000 }, (_, i) => `  const value${i} = compute(${i}, "some text here")\n`).join(
      '',
    )
    const hostile = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n'.repeat(100_000)
    const started = processorMs()
    for (const match of ['exact', 'lines'] as const) {
      const error = failure(big, [{ old: 'const value90000 = compute(90000,"some text here")', new: 'x', match }])
      expect(error.details).toMatchObject({ nearest: { from: 90_001 } })
      expect(failure(hostile, [{ old: `${'a'.repeat(39)}b\n`.repeat(400), new: 'x', match }]).code).toBe('no_match')
      expect(failure('a'.repeat(10_000_000), [{ old: `${'a'.repeat(5000)}b`, new: 'x', match }]).code).toBe('no_match')
      const inside = `${'a'.repeat(5000)}b${'a'.repeat(5000)}`
      expect(failure('a'.repeat(10_000_000), [{ old: inside, new: 'x', match }]).code).toBe('no_match')
      expect(failure(hostile, [{ old: 'a'.repeat(40) + '\n', new: 'x', match }]).code).toBe('ambiguous')
    }
    expect(processorMs() - started).toBeLessThan(15_000)
  })
})
