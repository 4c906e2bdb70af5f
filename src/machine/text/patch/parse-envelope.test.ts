import { describe, expect, it } from 'vitest'
import { applyPatch } from './patch.ts'
import { errorOf, workspaceWith } from '../../../../tests/text/workspace-for-tests.ts'

const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')

/** The text of one file after an update by these lines. */
const updated = (before: string, ...lines: readonly string[]) => {
  using files = workspaceWith({ f: before })
  applyPatch(files.ws, patch('*** Update File: f', ...lines))
  return files.ws.read('f').bytes.toString()
}
const failed = (before: string, ...lines: readonly string[]) => errorOf(() => updated(before, ...lines))

it('adds, updates, moves and deletes files in one patch', () => {
  using files = workspaceWith({ a: 'x\n', b: 'one\ntwo\n', c: 'gone\n' })
  const diff = patch(
    '*** Add File: new/n.txt', '+first', '+', '+third',
    '*** Update File: a', '@@', '-x', '+y',
    '*** Update File: b', '*** Move to: moved/b', '@@', ' one', '-two', '+zwei',
    '*** Delete File: c',
  ) // prettier-ignore
  expect(applyPatch(files.ws, diff).files.map(({ path, kind }) => [path, kind])).toEqual([
    ['new/n.txt', 'create'], ['a', 'change'], ['moved/b', 'rename'], ['c', 'delete'],
  ]) // prettier-ignore
  const text = (path: string) => files.ws.read(path).bytes.toString()
  expect([text('new/n.txt'), text('a'), text('moved/b')]).toEqual(['first\n\nthird\n', 'y\n', 'one\nzwei\n'])
  expect([files.ws.stat('b'), files.ws.stat('c')]).toEqual([undefined, undefined])
})

it('stages nothing where one section fails', () => {
  using files = workspaceWith({ a: 'x\n', b: 'y\n' })
  const diff = patch('*** Update File: a', '-x', '+z', '*** Update File: b', '-nope', '+z')
  expect(errorOf(() => applyPatch(files.ws, diff))).toMatchObject({ code: 'no_match', details: { file: 'b', hunk: 1 } })
  expect(errorOf(() => applyPatch(files.ws, patch('*** Add File: a', '+z'))).code).toBe('exists')
  expect(files.ws.changes()).toEqual([])
})

describe('places', () => {
  const code = 'class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n'

  it('must be unique', () => {
    expect(failed('a\nb\na\n', '-a', '+c')).toMatchObject({ code: 'ambiguous', details: { lines: [1, 3] } })
    expect(updated('a\nb\na\n', ' b', '-a', '+c')).toBe('a\nb\nc\n')
    expect(failed('a\n', '-b', '+c').code).toBe('no_match')
  })

  it('are those below the anchors', () => {
    const change = ['-        return 1', '+        return 2']
    expect(failed(code, ...change).code).toBe('ambiguous')
    expect(updated(code, '@@ class B:', ...change)).toBe(code.replace(/1\n$/, '2\n'))
    expect(updated(code, '@@ class A:', ...change)).toBe(code.replace('1', '2'))
    expect(updated(code, '@@ class A:', '@@     def f(self):', ...change)).toBe(code.replace('1', '2'))
    expect(failed(code, '@@ def f(self):', ...change).code).toBe('ambiguous')
    expect(failed(code, '@@ class C:', ...change).message).toContain("no line is 'class C:'")
  })

  it('follow one another', () => {
    expect(updated('a\nb\na\nb\n', '@@', ' a', '-b', '+1', ' a', '@@', '-b', '+2')).toBe('a\n1\na\n2\n')
  })

  it('can be the end of the file', () => {
    expect(updated('a\nb\na\n', '@@', '-a', '+c', '*** End of File')).toBe('a\nb\nc\n')
    expect(updated('a\n', '@@', '+b', '*** End of File')).toBe('a\nb\n')
    expect(failed('a\nb\n', '@@', '-a', '+c', '*** End of File').code).toBe('no_match')
  })

  it('for new lines alone are below an anchor, or nowhere', () => {
    expect(updated('a\nb\n', '@@ a', '+x')).toBe('a\nx\nb\n')
    expect(failed('a\nb\n', '@@', '+x').code).toBe('ambiguous')
    expect(updated('', '@@', '+x')).toBe('x\n')
  })
})

describe('bytes', () => {
  it('keep the line ends of the file', () => {
    expect(updated('a\r\nb\r\nc\n', ' a', '-b', '+B', '+BB', ' c')).toBe('a\r\nB\r\nBB\r\nc\n')
    expect(updated('a\nb', ' a', '-b', '+B')).toBe('a\nB')
    expect(updated('a\r\nb', ' b', '+c')).toBe('a\r\nb\r\nc')
    expect(updated('a\nb', ' a', '-b')).toBe('a')
  })

  it('take a lost blank of an empty line for context', () => {
    expect(updated('a\n\nb\n', ' a', '', '-b', '+c')).toBe('a\n\nc\n')
  })
})

it('takes numbers of a unified diff for no anchor', () => {
  expect(updated('a\nb\n', '@@ -7,1 +7,1 @@', '-b', '+c')).toBe('a\nc\n')
})

it('reads the patch out of a code fence or a here-document', () => {
  using files = workspaceWith({ f: 'a\n' })
  const inner = patch('*** Update File: f', '-a', '+b', '')
  expect(applyPatch(files.ws, `\`\`\`\napply_patch <<'EOF'\n${inner}EOF\n\`\`\`\n`).applied).toBe(true)
})

it.each([
  ['no end', '*** Begin Patch\n*** Delete File: f\n'],
  ['text after the end', `${patch('*** Delete File: f')}*** Delete File: g\n`],
  ['an unmarked line', patch('*** Update File: f', '@@', 'a', '+b')],
  ['an unmarked line of a new file', patch('*** Add File: n', 'a')],
  ['no change', patch('*** Update File: f', '@@', ' a')],
  ['an empty section', patch('*** Update File: f')],
  ['an unknown section', patch('*** Rename File: f')],
  ['a way up', patch('*** Add File: ../n', '+a')],
  ['an absolute path', patch('*** Add File: /tmp/n', '+a')],
  ['no section at all', patch()],
])('refuses a patch with %s', (_, diff) => {
  using files = workspaceWith({ f: 'a\n' })
  expect(errorOf(() => applyPatch(files.ws, diff)).code).toBe('invalid_input')
  expect(errorOf(() => applyPatch(files.ws, patch('*** Delete File: f'), { reverse: true })).code).toBe('invalid_input')
  expect(files.ws.changes()).toEqual([])
})
