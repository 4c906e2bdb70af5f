import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import type { Tree, TreeChange, TreeFile } from '../tree/tree.ts'
import { comparePaths } from '../search/path-order.ts'
import { findInList } from './find-in-list.ts'
import { pathList } from './path-list.ts'

const runs = process.env['TOOLWRIGHT_LONG'] === undefined ? 500 : 20_000

/** Short, dotted, in other letters, and with a byte that is no UTF-8. */
const name = fc
  .string({ unit: fc.constantFrom('a', 'a', 'b', 'B', '.', 'é', '😀', '\udcff'), minLength: 1, maxLength: 4 })
  .filter(text => text !== '.' && text !== '..')
const directory = fc.constantFrom('src', 'src/a', 'lib', '.github')
const path = fc.oneof(
  name,
  fc
    .tuple(directory, fc.array(name, { minLength: 1, maxLength: 2 }))
    .map(([start, names]) => [start, ...names].join('/')),
)
const piece = fc.constantFrom('a', 'B', '.', 'é', '😀', '\udcff', '*', '*', '?', '[!a]', '{a,*b}', 'aa', 'a.b')
const glob = fc
  .tuple(
    fc.constantFrom('', '**/', '**/', 'a/', 'src/**/', '{src,lib}/'),
    fc.array(piece, { minLength: 1, maxLength: 4 }),
  )
  .map(([start, pieces]) => start + pieces.join(''))
  .filter(text => !/(^|\/)\.{1,2}$/.test(text))
const question = fc.record({
  directory: fc.oneof(fc.constant('.'), directory),
  glob: fc.oneof(glob, fc.constantFrom('**', '**/*', 'src/')),
  skip: fc.nat(2),
  maxResults: fc.constantFrom(1, 3, 100),
  maxDepth: fc.constantFrom(1, 2, 3, 100),
  hidden: fc.boolean(),
  leaveOut: fc.array(path, { maxLength: 3 }),
})

/** Paths as a tree holds them, to be changed. */
function treeOf(start: readonly string[]): {
  readonly tree: Tree
  change(put: readonly string[], gone: readonly string[]): void
} {
  const fileOf = (of: string): TreeFile => ({ path: of, size: 0, mtimeMs: 0, stamp: '' })
  const files = new Map(start.map(of => [of, fileOf(of)]))
  const listeners: ((change: TreeChange) => void)[] = []
  return {
    tree: {
      version: () => 0,
      files: () => files,
      settle: () => Promise.resolve({ state: 'current', checked: 'watch' }),
      caughtUp: () => Promise.resolve(),
      onChange: listener => (listeners.push(listener), () => undefined),
      close: () => undefined,
    },
    change(put, gone) {
      for (const of of gone) files.delete(of)
      for (const of of put) files.set(of, fileOf(of))
      for (const listener of listeners) listener({ put: put.map(fileOf), gone })
    },
  }
}

it('finds what a look at each path by itself finds, also after files came and went', () => {
  const paths = fc.uniqueArray(path, { maxLength: 30 })
  fc.assert(
    fc.property(paths, fc.uniqueArray(path, { maxLength: 4 }), question, (start, news, asked) => {
      const { tree, change } = treeOf(start)
      const list = pathList(tree)
      list.all()
      change(
        news,
        start.filter((of, at) => at % 5 === 0 && !news.includes(of)),
      )
      const { directory: from, leaveOut, skip, maxResults } = asked
      const { found, total } = findInList(list, {
        directory: from,
        wanted: compileGlob(asked.glob),
        options: asked,
        leaveOut,
      })
      const all = [...tree.files().keys()].toSorted(comparePaths)
      const expected = all.filter(of => isAsked(of, asked))
      expect(list.all()).toEqual(all)
      expect(total).toBe(expected.length)
      expect(found.map(at => all[at])).toEqual(expected.slice(skip, skip + maxResults))
    }),
    { numRuns: runs },
  )
})

type Asked = typeof question extends fc.Arbitrary<infer T> ? T : never

function isAsked(of: string, { directory: from, glob: pattern, maxDepth, hidden, leaveOut }: Asked): boolean {
  const start = from === '.' ? '' : `${from}/`
  const names = of.slice(start.length).split('/')
  return (
    of.startsWith(start) &&
    compileGlob(pattern).matches(names.join('/')) &&
    !leaveOut.includes(of) &&
    names.length <= maxDepth &&
    (hidden || !names.some(one => one.startsWith('.')))
  )
}
