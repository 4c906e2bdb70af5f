import { chmodSync, readFileSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { creates, reads, writes } from '../../../kernel/claim.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { applyPatch } from './patch.ts'
import { createReadMemory } from '../../workspace/read-memory.ts'
import { createStaging } from '../../workspace/staging.ts'
import { errorOf, workspaceWith } from '../../../../tests/text/workspace-for-tests.ts'
import { openRoot } from '../../workspace/root.ts'
import { openWorkspace } from '../../workspace/open-workspace.ts'
import { patchPaths } from './patch-paths.ts'

const text = (ws: Workspace, path: string) => ws.read(path).bytes.toString()
const change = (path: string, from: string, to: string) =>
  `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`
const create = (path: string, line: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`
const remove = (path: string, line: string) => `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`
const rename = (from: string, to: string) =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`

describe('one patch over many files', () => {
  it('changes, creates, deletes, renames, copies and sets modes, and says what it did', () => {
    using files = workspaceWith({ a: '1\n', b: '2\n', c: '3\n', 'd/e': 'x\ny\n', f: '6\n' })
    const moved = `${rename('c', 'new/c')}--- a/c\n+++ b/new/c\n@@ -1 +1,2 @@\n 3\n+4\n`
    const copied =
      'diff --git a/d/e b/g\nsimilarity index 50%\ncopy from d/e\ncopy to g\n--- a/d/e\n+++ b/g\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n'
    const mode = 'diff --git a/f b/f\nold mode 100644\nnew mode 100755\n'
    const diff = change('a', '1', 'one') + remove('b', '2') + create('n/m', 'new') + moved + copied + mode
    const result = applyPatch(files.ws, diff)
    expect(result.applied).toBe(true)
    expect(result.files.map(({ path, kind, from, added, removed }) => [path, kind, from, added, removed])).toEqual([
      ['a', 'change', undefined, 1, 1],
      ['b', 'delete', undefined, 0, 1],
      ['n/m', 'create', undefined, 1, 0],
      ['new/c', 'rename', 'c', 1, 0],
      ['g', 'copy', 'd/e', 1, 1],
      ['f', 'change', undefined, 0, 0],
    ])
    expect(['a', 'n/m', 'new/c', 'd/e', 'g', 'f'].map(path => text(files.ws, path))).toEqual([
      'one\n', 'new\n', '3\n4\n', 'x\ny\n', 'x\nz\n', '6\n',
    ]) // prettier-ignore
    expect([files.ws.stat('b'), files.ws.stat('c')]).toEqual([undefined, undefined])
    expect(files.ws.read('f').mode).toBe(0o755)
    expect(files.ws.changes().find(({ path }) => path === 'new/c')).toMatchObject({ kind: 'move', from: 'c' })
  })

  it('stages nothing where one hunk of one file fails', () => {
    using files = workspaceWith({ a: '1\n', b: '2\n' })
    const error = errorOf(() => applyPatch(files.ws, change('a', '1', 'one') + change('b', 'two', 'zwei')))
    expect(error).toMatchObject({
      code: 'no_match',
      details: { file: 'b', hunk: 1, line: 1, nearest: { text: '2\n' } },
    })
    expect(files.ws.changes()).toEqual([])
  })

  it('SG-12: computes everything and stages nothing with check', () => {
    using files = workspaceWith({ a: '1\n' })
    expect(applyPatch(files.ws, change('a', '1', 'one'), { check: true })).toMatchObject({
      applied: false,
      files: [{ path: 'a', hunks: 1, offsets: [0] }],
    })
    expect(errorOf(() => applyPatch(files.ws, change('a', '2', 'x'), { check: true })).code).toBe('no_match')
    expect(files.ws.changes()).toEqual([])
    expect(readFileSync(files.onDisk('a'), 'utf8')).toBe('1\n')
  })

  it('needs no more than what its paths claim', () => {
    using files = workspaceWith({ a: '1\n', b: '2\n', c: '3\n' })
    const diff = change('a', '1', 'one') + remove('b', '2') + create('n', 'new') + rename('c', 'd')
    const paths = patchPaths(diff)
    const grant = [...reads(...paths.reads), ...writes(...paths.writes), ...creates(...paths.creates)]
    const root = openRoot(files.onDisk('.'))
    const ws = openWorkspace(root, { grant, staging: createStaging(), memory: createReadMemory(), strictWrites: true })
    applyPatch(ws, diff)
    expect(ws.changes().map(({ path, kind }) => [path, kind])).toEqual([
      ['a', 'change'], ['b', 'delete'], ['d', 'move'], ['n', 'create'],
    ]) // prettier-ignore
    root.close()
  })
})

describe('sections that have to do with each other', () => {
  it('swaps names', () => {
    using files = workspaceWith({ a: '1\n', b: '2\n' })
    applyPatch(files.ws, rename('a', 'b') + rename('b', 'a'))
    expect([text(files.ws, 'a'), text(files.ws, 'b')]).toEqual(['2\n', '1\n'])
  })

  it('sees what an earlier section wrote, its mode too', () => {
    using files = workspaceWith({ f: 'a\nb\n' })
    const mode = 'diff --git a/f b/f\nold mode 100644\nnew mode 100755\n'
    const first = '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n'
    const second = '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n A\n-b\n+B\n'
    applyPatch(files.ws, mode + first + second)
    expect(files.ws.read('f')).toMatchObject({ bytes: Buffer.from('A\nB\n'), mode: 0o755 })
  })

  it('puts a directory where a file was', () => {
    using files = workspaceWith({ d: '1\n' })
    applyPatch(files.ws, remove('d', '1') + create('d/x', '2'))
    expect(text(files.ws, 'd/x')).toBe('2\n')
  })

  it.each([
    ['order', change('a', '1', '2') + remove('a', '2')],
    ['order', change('a', '1', '2') + rename('a', 'z')],
    ['order', create('n', '1') + create('n', '2')],
    ['order', rename('a', 'a')],
    ['directory', create('n', '1') + create('n/m', '2')],
  ])('refuses by the rule %s what git would do wrongly', (rule, diff) => {
    using files = workspaceWith({ a: '1\n' })
    expect(errorOf(() => applyPatch(files.ws, diff)).details?.['rule']).toBe(rule)
    expect(files.ws.changes()).toEqual([])
  })

  it('does not change a file that an earlier section took away', () => {
    using files = workspaceWith({ a: '1\n' })
    expect(
      errorOf(() => applyPatch(files.ws, `${rename('a', 'b')}diff --git a/a b/a\n${change('a', '1', '2')}`)).code,
    ).toBe('not_found')
  })
})

describe('what is there', () => {
  it('is never created over, deleted with other content, or taken for a file', () => {
    using files = workspaceWith({ a: '1\n', 'd/x': '1\n', e: '1\nEXTRA\n' })
    const codeOf = (diff: string) => errorOf(() => applyPatch(files.ws, diff)).code
    expect(codeOf(create('a', '2'))).toBe('exists')
    expect(codeOf(rename('a', 'e'))).toBe('exists')
    expect(codeOf(remove('e', '1'))).toBe('no_match')
    expect(codeOf('diff --git a/a b/a\ndeleted file mode 100644\n')).toBe('no_match')
    expect(codeOf(change('d', '1', '2'))).toBe('not_a_file')
    expect(codeOf(create('d', '1'))).toBe('not_a_file')
    expect(codeOf(create('a/x', '1'))).toBe('not_a_directory')
    expect(codeOf(change('missing', '1', '2'))).toBe('not_found')
    expect(files.ws.changes()).toEqual([])
  })

  it('SG-18: is never reached through a link', () => {
    using files = workspaceWith({ 'd/x': '1\n' })
    symlinkSync('d', files.onDisk('link'))
    symlinkSync('d/x', files.onDisk('one'))
    const ruleOf = (diff: string) => errorOf(() => applyPatch(files.ws, diff)).details?.['rule']
    expect(ruleOf(change('link/x', '1', '2'))).toBe('link')
    expect(ruleOf(change('one', '1', '2'))).toBe('link')
    expect(ruleOf(create('link/new', '2'))).toBe('link')
    expect(ruleOf(rename('one', 'two'))).toBe('link')
  })

  it('keeps its permissions but for what the patch says', () => {
    using files = workspaceWith({ a: '1\n', b: '1\n' })
    chmodSync(files.onDisk('a'), 0o600)
    chmodSync(files.onDisk('b'), 0o640)
    applyPatch(files.ws, `${change('a', '1', '2')}diff --git a/b b/b\nold mode 100644\nnew mode 100755\n`)
    expect([files.ws.read('a').mode, files.ws.read('b').mode]).toEqual([0o600, 0o750])
  })
})

describe('options', () => {
  it('takes a patch back', () => {
    using files = workspaceWith({ a: 'one\n', n: 'new\n', d: '3\n' })
    const diff = change('a', '1', 'one') + create('n', 'new') + remove('b', '2') + rename('c', 'd')
    applyPatch(files.ws, diff, { reverse: true })
    expect([text(files.ws, 'a'), text(files.ws, 'b'), text(files.ws, 'c')]).toEqual(['1\n', '2\n', '3\n'])
    expect([files.ws.stat('n'), files.ws.stat('d')]).toEqual([undefined, undefined])
  })

  it('SG-12: holds a patch to one file, with or without a header', () => {
    using files = workspaceWith({ 'src/a.ts': '1\n', 'src/b.ts': '1\n' })
    const bare = '@@ -1 +1 @@\n-1\n+2\n'
    const only = 'src/a.ts'
    expect(applyPatch(files.ws, bare, { only }).files).toMatchObject([{ path: 'src/a.ts', kind: 'change' }])
    expect(applyPatch(files.ws, change('src/a.ts', '2', '3'), { only: './src/a.ts' }).applied).toBe(true)
    expect(applyPatch(files.ws, `--- src/a.ts\n+++ src/a.ts\n@@ -1 +1 @@\n-3\n+4\n`, { only }).applied).toBe(true)
    expect(text(files.ws, 'src/a.ts')).toBe('4\n')
    const both = change('src/a.ts', '4', '5') + change('src/b.ts', '1', '2')
    expect(errorOf(() => applyPatch(files.ws, both, { only })).code).toBe('invalid_input')
    expect(errorOf(() => applyPatch(files.ws, rename('src/a.ts', 'src/c.ts'), { only })).code).toBe('invalid_input')
  })

  it('drops as many directories of a name as it is told', () => {
    using files = workspaceWith({ 'src/a': '1\n' })
    expect(applyPatch(files.ws, '--- src/a\n+++ src/a\n@@ -1 +1 @@\n-1\n+2\n', { strip: 0 }).files[0]?.path).toBe(
      'src/a',
    )
  })

  it('gives the offset of each hunk', () => {
    using files = workspaceWith({ a: '0\n0\nx\n1\ny\n' })
    const { files: done } = applyPatch(files.ws, '--- a/a\n+++ b/a\n@@ -2,3 +2,3 @@\n x\n-1\n+2\n y\n')
    expect(done).toMatchObject([{ offsets: [1], fuzz: [0] }])
  })
})

it('applies a patch of two thousand files', () => {
  using files = workspaceWith({})
  const diff = Array.from({ length: 2000 }, (_, at) => create(`m/${at}`, 'x')).join('')
  expect(applyPatch(files.ws, diff).files).toHaveLength(2000)
  expect(text(files.ws, 'm/1999')).toBe('x\n')
})
