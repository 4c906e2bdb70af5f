import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { workspaceState } from '../../machine/state/directory.ts'
import { findWorkspace, hereIn } from './find-workspace.ts'

let base: string
const at = (...names: string[]): string => join(base, ...names)
const env = () => ({ HOME: at('home'), TOOLWRIGHT_STATE: at('state') })
const found = (path: string): string => findWorkspace(at(path), env())
const directory = (path: string): void => void mkdirSync(at(path), { recursive: true })
const repository = (path: string): void => {
  directory(join(path, '.git'))
  writeFileSync(at(path, '.git/HEAD'), 'ref: refs/heads/main\n')
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-find-')))
  directory('home/shop/src/deep')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('findWorkspace', () => {
  it('is the current directory where nothing above it is a workspace', () => {
    expect(found('home/shop/src')).toBe(at('home/shop/src'))
  })

  it('is the nearest repository, configuration or known workspace upwards', () => {
    repository('home/shop')
    expect(found('home/shop/src/deep')).toBe(at('home/shop'))
    writeFileSync(at('home/shop/src/toolwright.json'), '{}')
    expect(found('home/shop/src/deep')).toBe(at('home/shop/src'))
    workspaceState(at('home/shop/src/deep'), env())
    directory('home/shop/src/deep/er')
    expect(found('home/shop/src/deep/er')).toBe(at('home/shop/src/deep'))
  })

  it('knows a linked worktree and a submodule by their file, and no repository by an empty directory', () => {
    repository('home/shop')
    directory('home/shop/src/.git')
    expect(found('home/shop/src/deep')).toBe(at('home/shop'))
    rmSync(at('home/shop/src/.git'), { recursive: true })
    writeFileSync(at('home/shop/src/.git'), 'gitdir: ../../.git/modules/src\n')
    expect(found('home/shop/src/deep')).toBe(at('home/shop/src'))
  })

  it('never is the home directory or one above it', () => {
    repository('home')
    writeFileSync(at('toolwright.json'), '{}')
    workspaceState(at('home'), { ...env(), TOOLWRIGHT_STATE: at('state') })
    expect(found('home/shop/src')).toBe(at('home/shop/src'))
    expect(found('home')).toBe(at('home'))
  })

  it('is no directory that everybody can write to', () => {
    directory('open/mine')
    repository('open')
    expect(found('open/mine')).toBe(at('open'))
    chmodSync(at('open'), 0o1777)
    expect(found('open/mine')).toBe(at('open/mine'))
  })
})

describe('hereIn', () => {
  it('takes and shows paths relative to the current directory', () => {
    const here = hereIn(at('home/shop'), at('home/shop/src'))
    expect(here.path).toBe('src')
    expect([here.typed('a.ts'), here.typed('../b.ts'), here.typed('/x'), here.typed('ref:1')]).toEqual([
      'src/a.ts',
      'b.ts',
      '/x',
      'ref:1',
    ])
    expect([here.shown('src/a.ts'), here.shown('b.ts'), here.shown('ref:1')]).toEqual(['a.ts', '../b.ts', 'ref:1'])
  })

  it('takes a path in its shortest form, and `..` after a link for where the link leads', () => {
    directory('home/shop/lib/inner')
    symlinkSync(at('home/shop/lib/inner'), at('home/shop/src/link'))
    const here = hereIn(at('home/shop'), at('home/shop/src'))
    const plain = ['../src//./a.ts', 'deep/../a.ts', 'link/../a.ts', '..', './']
    expect(plain.map(here.typed)).toEqual(['src/a.ts', 'src/a.ts', 'lib/a.ts', '.', 'src/'])
    expect(hereIn(at('home/shop'), at('home/shop')).typed('./src/deep/../a.ts')).toBe('src/a.ts')
    const odd = ['gone/../a.ts', '../../secret']
    expect(odd.map(here.typed)).toEqual(['src/gone/../a.ts', 'src/../../secret'])
  })

  it('takes paths relative to the workspace where the current directory is outside of it or is it', () => {
    for (const cwd of ['home', 'home/shop']) expect(hereIn(at('home/shop'), at(cwd))).toMatchObject({ path: '.' })
    expect(hereIn(at('home/shop'), at('home')).typed('a.ts')).toBe('a.ts')
    symlinkSync(at('home/shop/src'), at('link'))
    expect(hereIn(at('home/shop'), at('link')).typed('a.ts')).toBe('src/a.ts')
  })
})
