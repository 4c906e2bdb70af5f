import { describe, expect, it } from 'vitest'
import { patchRows } from './rows/patches.ts'

const run = patchRows()

type Tree = Readonly<Record<string, string>>
/** What it is about, the tree, the patch, and the tree afterwards; without one the patch is refused. */
type Case = readonly [string, Tree, string, Tree?]

const git = (from: string, to = from): string => `diff --git a/${from} b/${to}\n`
const moved = (how: 'rename' | 'copy', from: string, to: string): string =>
  `${git(from, to)}similarity index 100%\n${how} from ${from}\n${how} to ${to}\n`
const edit = (from: string, to: string, hunk = '@@ -1 +1 @@\n-1\n+2\n'): string => `--- ${from}\n+++ ${to}\n${hunk}`
const added = (name: string, text = 'x'): string => edit('/dev/null', `b/${name}`, `@@ -0,0 +1 @@\n+${text}\n`)
const removed = (name: string, text = '1'): string => edit(`a/${name}`, '/dev/null', `@@ -1 +0,0 @@\n-${text}\n`)
const withMode = (name: string, mode: string): string =>
  `${git(name)}new file mode ${mode}\n${edit('/dev/null', `b/${name}`, '@@ -0,0 +1 @@\n+x\n')}`

const ONE = { a: '1\n' }

/** What git applies and we refuse, each by a rule of docs/patches.md. */
const DECIDED: readonly Case[] = [
  ['two renames of one file', ONE, moved('rename', 'a', 'b') + moved('rename', 'a', 'c')],
  ['a rename of a file that the patch deletes', ONE, removed('a') + moved('rename', 'a', 'b')],
  ['two renames to one name', { ...ONE, b: '2\n' }, moved('rename', 'a', 'c') + moved('rename', 'b', 'c')],
  ['a rename after a change', ONE, edit('a/a', 'b/a') + moved('rename', 'a', 'b')],
  ['a rename to itself', ONE, moved('rename', 'a', 'a')],
  ['/dev/null on both sides', ONE, edit('/dev/null', '/dev/null', '@@ -0,0 +1 @@\n+x\n')],
  ['/dev/null on both sides, with old lines', ONE, edit('/dev/null', '/dev/null')],
  ['an unknown line below diff --git', ONE, `${git('a')}hello\n${edit('a/a', 'b/a')}`],
  ['an empty line below diff --git', ONE, `${git('a')}\n${edit('a/a', 'b/a')}`],
  ['an unknown line below a rename', ONE, `${moved('rename', 'a', 'b')}hello\n${edit('a/a', 'b/b')}`],
  ['one file created twice', {}, added('n') + added('n', 'y')],
  ['names that differ', { ...ONE, b: '1\n' }, edit('a/a', 'b/b')],
  ['a header about another file', { ...ONE, b: '1\n' }, git('a') + edit('a/b', 'b/b')],
]

/** What git applies, and so do we, with the same result. */
const APPLIED: readonly Case[] = [
  ['a/f beside f', ONE, edit('a/a', 'a'), { a: '2\n' }],
  ['f beside b/f', ONE, edit('a', 'b/a'), { a: '2\n' }],
  [
    'a/f beside f, where both are there',
    { ...ONE, 'a2/f': '1\n', f: '1\n' },
    edit('a2/f', 'f'),
    { ...ONE, 'a2/f': '1\n', f: '2\n' },
  ],
  ['a rename and a copy of one file', ONE, moved('rename', 'a', 'b') + moved('copy', 'a', 'c'), { b: '1\n', c: '1\n' }],
  [
    'a ring of renames',
    { ...ONE, b: '2\n' },
    moved('rename', 'a', 'b') + moved('rename', 'b', 'a'),
    { a: '2\n', b: '1\n' },
  ],
  ['a file moved below its own name', ONE, moved('rename', 'a', 'a/b'), { 'a/b': '1\n' }],
  [
    'a file moved below one that moves away',
    { ...ONE, c: '3\n' },
    moved('rename', 'c', 'a/c') + moved('rename', 'a', 'd'),
    { 'a/c': '3\n', d: '1\n' },
  ],
  ['a file that gives way to a directory', ONE, removed('a') + added('a/b'), { 'a/b': 'x\n' }],
  ['a file deleted and created again', ONE, removed('a') + added('a', 'y'), { a: 'y\n' }],
  ['a file created and changed', {}, added('n', '1') + edit('a/n', 'b/n'), { n: '2\n' }],
  ['a rename with a change', ONE, moved('rename', 'a', 'b') + edit('a/a', 'b/b'), { b: '2\n' }],
  ['text of a mail around it', ONE, `From: x\n\n---\n a | 2 +-\n\n${edit('a/a', 'b/a')}-- \n2.39\n`, { a: '2\n' }],
  ['more permissions than a patch can give', {}, withMode('s', '100777'), { s: 'x\n', 's#x': '1' }],
  ['a name with a line break', {}, `--- /dev/null\n+++ "b/a\\nb"\n@@ -0,0 +1 @@\n+x\n`, { 'a\nb': 'x\n' }],
]

/** What neither applies, or what only git does, to the harm of the user. */
const HOSTILE: readonly Case[] = [
  ['a way out in octal', {}, '--- /dev/null\n+++ "b/\\056\\056/pwn"\n@@ -0,0 +1 @@\n+x\n'],
  ['a way out behind a name', {}, added('x/../../pwn')],
  ['an absolute name', {}, edit('/dev/null', '/etc/pwn', '@@ -0,0 +1 @@\n+x\n')],
  ['a hook', {}, added('.git/hooks/pre-commit')],
  ['a hook in capitals', {}, added('.GIT/hooks/pre-commit')],
  ['a hook by the short name of Windows', {}, added('git~1/hooks/x')],
  ['a hook with a character that is not seen', {}, added('.g\u200cit/hooks/x')],
  ['a repository in a directory', {}, added('sub/.git/config')],
  ['a rename to a hook', ONE, moved('rename', 'a', '.git/hooks/x')],
  ['a rename of the configuration', {}, moved('rename', '.git/config', 'c')],
  ['a deleted configuration', {}, removed('.git/config', '[core]')],
  ['a rename to a place outside', ONE, moved('rename', 'a', '../pwn')],
  ['a rename from outside', {}, moved('rename', '../outside.txt', 's')],
  ['a link', {}, withMode('l', '120000')],
  ['a link, and a file behind it', {}, `${withMode('l', '120000')}${added('l/pwn')}`],
  ['a file that becomes a link', ONE, `${git('a')}old mode 100644\nnew mode 120000\n${edit('a/a', 'b/a')}`],
  ['a file behind a link', { '@d': '..' }, added('d/pwn')],
  ['a file behind a link inside', { '@d': 'e', 'e/x': '1\n' }, edit('a/d/x', 'b/d/x')],
  ['a link in its way', { '@l': '../outside.txt' }, added('l')],
  ['set-group-id', {}, withMode('s', '102755')],
  ['a directory as a file', {}, withMode('s', '040000')],
  ['a pipe', {}, withMode('s', '010644')],
  ['a NUL in a name', {}, '--- /dev/null\n+++ "b/a\\000b"\n@@ -0,0 +1 @@\n+x\n'],
  ['lines after the last hunk', { f: '1\n2\n3\n' }, edit('a/f', 'b/f', '@@ -1,2 +1,2 @@\n-1\n+x\n 2\n-3\n+evil\n')],
  ['an editor’s script', ONE, '--- a/a\n+++ b/a\n1s/1/2/\n.\n!id\n'],
  ['a setting of an editor', {}, added('.vscode/tasks.json')],
]

const rowOf = ([name, before, patch, after]: Case) => ({
  id: name,
  class: 'own',
  before,
  patch,
  expect: after ? 'apply' : 'reject',
  ...(after && { after }),
})

describe.each([
  ['where git would do other than is shown', DECIDED],
  ['as git applies it', APPLIED],
  ['that means harm', HOSTILE],
])('a patch %s', (_what, cases) => {
  it.each(cases.map(one => [one[0], one[3] ? 'applied' : 'refused', one] as const))(
    '%s: %s',
    async (_name, _is, one) => {
      const { ok, got } = await run(rowOf(one))
      expect({ ok, got }).toEqual({ ok: true, got })
    },
  )
})
