import { expect, it } from 'vitest'
import { errorOf } from '../../../../tests/text/workspace-for-tests.ts'
import { patchPaths } from './patch-paths.ts'

const hunk = '@@ -1 +1 @@\n-a\n+b\n'

it('names every file of a patch, the one behind 500 blank lines too', () => {
  const diff = `--- a/a.txt\n+++ b/a.txt\n${hunk}${'\n'.repeat(500)}--- a/.sage/s.json\n+++ b/.sage/s.json\n${hunk}`
  expect(patchPaths(diff)).toEqual({ reads: ['a.txt', '.sage/s.json'], writes: ['a.txt', '.sage/s.json'], creates: [] })
})

it('tells what is read, what is changed and what is made', () => {
  const diff =
    'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n' +
    'diff --git a/c b/d\nsimilarity index 100%\ncopy from c\ncopy to d\n' +
    'diff --git a/n b/n\nnew file mode 100644\ndiff --git a/o b/o\ndeleted file mode 100644\n'
  expect(patchPaths(diff)).toEqual({
    reads: ['x', 'y', 'c', 'd', 'n', 'o'],
    writes: ['x', 'o'],
    creates: ['y', 'd', 'n'],
  })
  expect(patchPaths('--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n', { reverse: true })).toEqual({
    reads: ['n'],
    writes: ['n'],
    creates: [],
  })
})

it('reads the forms that models write', () => {
  const envelope =
    '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Add File: n\n+1\n*** End Patch\n'
  expect(patchPaths(envelope)).toEqual({ reads: ['a', 'b', 'n'], writes: ['a', 'b'], creates: ['b', 'n'] })
  expect(patchPaths('a.ts\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n').writes).toEqual(['a.ts'])
})

it('throws on garbage', () => {
  expect(errorOf(() => patchPaths('rm -rf .')).code).toBe('invalid_input')
})
