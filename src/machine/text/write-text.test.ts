import { describe, expect, it } from 'vitest'
import { encode, markOf } from './encoding.ts'
import { readText } from './read-text.ts'
import { replaceText } from './edit/replace-text.ts'
import { writeText, type WriteOptions } from './write-text.ts'
import { errorOf, workspaceWith } from '../../../tests/text/workspace-for-tests.ts'

const write = (before: Buffer | string | undefined, content: string, options?: WriteOptions) => {
  using place = workspaceWith(before === undefined ? {} : { 'a.txt': before })
  const written = writeText(place.ws, 'a.txt', content, options)
  return { ...written, now: place.ws.read('a.txt').bytes }
}
const failure = (before: Buffer | string | undefined, content: string, options?: WriteOptions) =>
  errorOf(() => write(before, content, options))

describe('writeText', () => {
  it('SG-11: writes a new file as UTF-8 and an old one anew', () => {
    expect(write(undefined, 'é\n')).toMatchObject({ path: 'a.txt', bytes: 3, created: true, now: Buffer.from('é\n') })
    expect(write('old', 'new')).toMatchObject({ created: false, now: Buffer.from('new') })
  })

  it('gives the hash that a later read gives', () => {
    using place = workspaceWith({})
    const { hash } = writeText(place.ws, 'deep/a.txt', 'x\n')
    expect(readText(place.ws, place.memory, 'deep/a.txt').hash).toBe(hash)
  })

  it('keeps the encoding and the byte order mark of the file that is there', () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      const marked = Buffer.concat([markOf(encoding), encode('alt\r\n', encoding)])
      const wanted = Buffer.concat([markOf(encoding), encode('neü\n', encoding)])
      expect(write(marked, 'neü\n').now).toEqual(wanted)
      expect(write(marked, '\ufeffneü\n').now).toEqual(wanted)
    }
    expect(write(Buffer.from('caf\xe9', 'latin1'), 'thé').now).toEqual(Buffer.from('th\xe9', 'latin1'))
    expect(failure(Buffer.from('caf\xe9', 'latin1'), '5 €').message).toMatch('"€" (U+20AC)')
  })

  it('keeps the mode of the file that is there', () => {
    using place = workspaceWith({ 'run.sh': 'old' }, 0o755)
    writeText(place.ws, 'run.sh', 'new')
    expect(place.ws.stat('run.sh')?.mode).toBe(0o755)
  })

  it('writes line ends as given: a whole file says itself how its lines end', () => {
    expect(write('a\r\nb\r\n', 'a\nb\r\n').now.toString()).toBe('a\nb\r\n')
  })

  it('writes the encoding asked for', () => {
    const wide = Buffer.concat([markOf('utf-16le'), encode('ü', 'utf-16le')])
    expect(write(undefined, 'ü', { encoding: 'utf-16' }).now).toEqual(wide)
    expect(write('old', 'ü', { encoding: 'utf-16' }).now).toEqual(wide)
    expect(write(wide, 'ü', { encoding: 'utf-8' }).now).toEqual(Buffer.from('ü'))
    expect(write('old', 'ü', { encoding: 'latin-1' }).now).toEqual(Buffer.from([0xfc]))
    expect(failure('old', 'ü', { encoding: 'ascii' }).code).toBe('invalid_input')
    const big = Buffer.concat([markOf('utf-16be'), encode('a', 'utf-16be')])
    expect(write(big, 'b', { encoding: 'utf-16' }).now).toEqual(
      Buffer.concat([markOf('utf-16be'), encode('b', 'utf-16be')]),
    )
  })

  it('replaces data and damaged text by UTF-8', () => {
    expect(write(Buffer.from([1, 0, 2]), 'é').now).toEqual(Buffer.from('é'))
    expect(write(Buffer.concat([Buffer.from('é'), Buffer.from([0xff])]), 'é').now).toEqual(Buffer.from('é'))
  })

  it('CA-04: creates only where nothing is, replaces only where something is', () => {
    expect(failure('old', 'new', { mode: 'create' }).code).toBe('exists')
    expect(failure('old', 'new', { expect: 'absent' }).code).toBe('exists')
    expect(write(undefined, 'new', { mode: 'create' }).created).toBe(true)
    expect(write(undefined, 'new', { expect: 'absent' }).created).toBe(true)
    expect(failure(undefined, 'new', { mode: 'replace' }).code).toBe('not_found')
    expect(write('old', 'new', { mode: 'replace' }).created).toBe(false)
  })

  it('refuses a write over a file that is not what was read', () => {
    using place = workspaceWith({ 'a.txt': 'one\n' })
    const { hash } = readText(place.ws, place.memory, 'a.txt')
    const error = errorOf(() => writeText(place.ws, 'a.txt', 'x', { expect: 'f'.repeat(64) }))
    expect(error.code).toBe('conflict')
    expect(error.details).toEqual({ expected: 'f'.repeat(64), actual: hash })
    expect(writeText(place.ws, 'a.txt', 'x', { expect: hash }).bytes).toBe(1)
  })

  it('refuses to replace a file that was never read where that is the rule, but not to edit it', () => {
    using place = workspaceWith({ 'a.txt': 'one\n' })
    expect(errorOf(() => writeText(place.open(true), 'a.txt', 'x')).code).toBe('conflict')
    expect(writeText(place.open(true), 'b.txt', 'x').created).toBe(true)
    expect(replaceText(place.open(true), 'a.txt', [{ old: 'one', new: 'two' }], { onAmbiguous: 'refuse' }).bytes).toBe(
      4,
    )
    readText(place.ws, place.memory, 'a.txt')
    expect(writeText(place.open(true), 'a.txt', 'x').created).toBe(false)
  })

  it('refuses text that stands for omitted code where that is wanted', () => {
    const error = failure('a\nb\nc\n', 'a\n// ... rest unchanged\n', { elided: 'refuse' })
    expect(error.code).toBe('invalid_input')
    expect(error.message).toBe('The content for a.txt leaves text out at line 2: // ... rest unchanged')
    expect(error.hint).toMatch('edit only the lines that change')
    expect(write('a\n// ... rest unchanged\n', 'b\n// ... rest unchanged\n', { elided: 'refuse' }).bytes).toBe(24)
    expect(write('a\n', '// ... rest unchanged\n').created).toBe(false)
    expect(write(undefined, '// ... rest unchanged\n', { elided: 'refuse' }).created).toBe(true)
  })

  it('refuses a directory and half characters', () => {
    using place = workspaceWith({ 'src/a.txt': '' })
    expect(errorOf(() => writeText(place.ws, 'src', 'x')).code).toBe('not_a_file')
    expect(failure(undefined, 'a\ud83d').code).toBe('invalid_input')
  })
})
