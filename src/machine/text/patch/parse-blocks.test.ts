import { describe, expect, it } from 'vitest'
import { applyPatch } from './patch.ts'
import { errorOf, workspaceWith } from '../../../../tests/text/workspace-for-tests.ts'

const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`

/** The text of one file after these blocks. */
const replaced = (before: string, ...blocks: readonly string[]) => {
  using files = workspaceWith({ 'f.ts': before })
  applyPatch(files.ws, `f.ts\n${blocks.join('')}`)
  return files.ws.read('f.ts').bytes.toString()
}

it('replaces in several files and creates where nothing is searched', () => {
  using files = workspaceWith({ 'src/a.ts': 'one\ntwo\n', 'b.ts': 'x\n' })
  const diff = [
    'First the one:\n\n**src/a.ts**\n```ts\n',
    block('one\n', 'eins\n'),
    '```\n```ts\n',
    block('two\n', 'zwei\n'),
    '```\n\n`b.ts`:\n',
    block('x\n', ''),
    '```\nnew/c.ts\n',
    block('', 'made\n'),
    '```\n',
  ].join('')
  expect(applyPatch(files.ws, diff).files.map(({ path, kind, hunks }) => [path, kind, hunks])).toEqual([
    ['src/a.ts', 'change', 2], ['b.ts', 'change', 1], ['new/c.ts', 'create', 1],
  ]) // prettier-ignore
  const text = (path: string) => files.ws.read(path).bytes.toString()
  expect([text('src/a.ts'), text('b.ts'), text('new/c.ts')]).toEqual(['eins\nzwei\n', '', 'made\n'])
})

describe('places', () => {
  it('must be unique and whole lines', () => {
    expect(errorOf(() => replaced('a\nb\na\n', block('a\n', 'c\n')))).toMatchObject({
      code: 'ambiguous',
      details: { lines: [1, 3] },
    })
    expect(errorOf(() => replaced('abc\n', block('b\n', 'x\n'))).code).toBe('no_match')
  })

  it('are searched in what earlier blocks made', () => {
    expect(replaced('a\nb\n', block('a\n', 'c\n'), block('c\nb\n', 'd\n'))).toBe('d\n')
    expect(replaced('a\nb\n', block('b\n', 'B\n'), block('a\n', 'A\n'))).toBe('A\nB\n')
  })

  it('are shown where they almost are', () => {
    const error = errorOf(() => replaced('0\nlet x = 1\nlet y = 2\n', block('let x = 1\nlet y = 3\n', 'z\n')))
    expect(error.details).toMatchObject({ nearest: { from: 2, to: 3, text: 'let x = 1\nlet y = 2\n' } })
  })
})

it('keeps every byte outside of the change', () => {
  expect(replaced('a\r\nb\nc\r\nd', block('a\nb\nc\n', 'a\nB\nc\n'))).toBe('a\r\nB\nc\r\nd')
  expect(replaced('a\r\nd', block('d\n', 'e\nf\n'))).toBe('a\r\ne\r\nf')
})

it('stages nothing where one block fails', () => {
  using files = workspaceWith({ 'a.ts': 'x\n', 'b.ts': 'x\n' })
  const diff = `a.ts\n${block('x\n', 'y\n')}b.ts\n${block('nope\n', 'y\n')}`
  expect(errorOf(() => applyPatch(files.ws, diff)).code).toBe('no_match')
  expect(errorOf(() => applyPatch(files.ws, `a.ts\n${block('', 'y\n')}`)).code).toBe('exists')
  expect(files.ws.changes()).toEqual([])
})

it.each([
  ['no path', block('a\n', 'b\n')],
  ['words for a path', `Now change the other one\n${block('', 'b\n')}`],
  ['no divider', 'f.ts\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n'],
  ['two dividers', `f.ts\n${block('a\n=======\n', 'b\n')}`],
  ['no end', 'f.ts\n<<<<<<< SEARCH\na\n=======\nb\n'],
  ['a block inside a block', `f.ts\n<<<<<<< SEARCH\na\n${block('a\n', 'b\n')}`],
  ['no change', `f.ts\n${block('a\n', 'a\n')}`],
  ['a way up', `../f.ts\n${block('a\n', 'b\n')}`],
])('refuses a patch with %s', (_, diff) => {
  using files = workspaceWith({ 'f.ts': 'a\n' })
  expect(errorOf(() => applyPatch(files.ws, diff)).code).toBe('invalid_input')
  expect(files.ws.changes()).toEqual([])
})
