import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeStagedTree, type StagedFile } from './staged-tree.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-tree-')))
  for (const [path, content] of Object.entries({
    'src/a.ts': 'a',
    'src/b.ts': 'b',
    'node_modules/x/index.js': 'x',
    'node_modules/y/index.js': 'y',
    'src/target/kept.ts': 'kept',
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  symlinkSync('a.ts', join(root, 'src/link.ts'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const file = (path: string, content: string, mode = 0o644): StagedFile => ({
  path,
  type: 'file',
  mode,
  read: () => Buffer.from(content),
})

describe('makeStagedTree', () => {
  it('is the workspace as it would be after the commit', () => {
    const tree = makeStagedTree(root, [
      file('src/a.ts', 'changed'),
      file('lib/deep/new.sh', '#!/bin/sh', 0o755),
      { path: 'src/b.ts', type: 'absent' },
      { path: 'empty', type: 'directory' },
      { path: 'src/other.ts', type: 'symlink', target: 'a.ts' },
    ])
    const read = (path: string) => readFileSync(join(tree.path, path), 'utf8')
    expect([read('src/a.ts'), read('lib/deep/new.sh'), read('src/link.ts'), read('src/other.ts')]).toEqual([
      'changed',
      '#!/bin/sh',
      'changed',
      'changed',
    ])
    expect(lstatSync(join(tree.path, 'lib/deep/new.sh')).mode & 0o777).toBe(0o755)
    expect(existsSync(join(tree.path, 'src/b.ts'))).toBe(false)
    expect(lstatSync(join(tree.path, 'empty')).isDirectory()).toBe(true)
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('a')
    tree.remove()
    expect(existsSync(tree.path)).toBe(false)
    expect(readFileSync(join(root, 'node_modules/x/index.js'), 'utf8')).toBe('x')
  })

  it('links what is large, and still writes nothing into the workspace where a change lies in there', () => {
    const tree = makeStagedTree(root, [
      file('node_modules/x/index.js', 'patched'),
      { path: 'src/target/kept.ts', type: 'absent' },
      file('node_modules/.cache/new', 'n'),
    ])
    const at = (path: string) => join(tree.path, path)
    expect(readFileSync(at('node_modules/x/index.js'), 'utf8')).toBe('patched')
    expect(readlinkSync(at('node_modules/y'))).toBe(join(root, 'node_modules/y'))
    expect(existsSync(at('src/target/kept.ts'))).toBe(false)
    expect(readFileSync(join(root, 'node_modules/x/index.js'), 'utf8')).toBe('x')
    expect(existsSync(join(root, 'src/target/kept.ts'))).toBe(true)
    expect(existsSync(join(root, 'node_modules/.cache'))).toBe(false)
    tree.remove()
    const plain = makeStagedTree(root, [])
    expect(readlinkSync(join(plain.path, 'node_modules'))).toBe(join(root, 'node_modules'))
    plain.remove()
  })
})
