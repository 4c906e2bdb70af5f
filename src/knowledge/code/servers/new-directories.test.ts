import { describe, expect, it } from 'vitest'
import { newDirectories } from './new-directories.ts'

describe('newDirectories', () => {
  it('gives those that held no file before, the outermost first', () => {
    const changes = [
      { path: 'src/new/deep/a.ts', type: 'made' },
      { path: 'src/new/b.ts', type: 'made' },
      { path: 'old/c.ts', type: 'made' },
      { path: 'gone/d.ts', type: 'gone' },
      { path: 'e.ts', type: 'made' },
    ] as const
    expect(newDirectories(changes, ['src/x.ts', 'old/further/y.ts'])).toEqual(['src/new', 'src/new/deep'])
    expect(newDirectories([{ path: 'a/b.ts', type: 'changed' }], [])).toEqual([])
  })
})
