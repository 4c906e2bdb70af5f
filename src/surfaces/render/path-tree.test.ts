import { expect, it } from 'vitest'
import type { Style } from './paint.ts'
import { pathTreeLines } from './path-tree.ts'

const plain: Style = { paint: (_colour, text) => text }

it('lists one directory by paths, with sizes and marks', () => {
  const entries = [
    { path: 'src/a.ts', type: 'file', size: 1200 },
    { path: 'src/lib', type: 'directory' },
    { path: 'src/link', type: 'symlink' },
  ]
  expect(pathTreeLines(entries, plain)).toEqual(['src/a.ts  1.2 kB', 'src/lib/', 'src/link@'])
})

it('draws branches where directories are listed with what is in them', () => {
  const entries = ['a', 'a/b', 'a/b/c', 'd'].map((path, depth) => ({ path, depth }))
  expect(pathTreeLines(entries, plain)).toEqual(['├─ a/', '│  └─ b/', '│     └─ c/', '└─ d/'])
})

it('draws branches of paths that lead upwards', () => {
  const entries = ['..', '../a.ts', '.', 'b.ts'].map(path => ({ path, type: 'file' }))
  expect(pathTreeLines(entries, plain)).toEqual(['└─ ..', '   ├─ a.ts', '   └─ .', '      └─ b.ts'])
})

it('keeps the whole path of what stands alone', () => {
  const entries = ['a/b.ts', 'c.ts'].map(path => ({ path, type: 'file' }))
  expect(pathTreeLines(entries, plain)).toEqual(['a/b.ts', 'c.ts'])
})
