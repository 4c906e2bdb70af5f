import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readsBelow } from '../../kernel/claim.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { createStaging } from '../../machine/workspace/staging.ts'
import { listTree, type TreeOptions } from './list-tree.ts'

let workspace: TemporaryWorkspace
let root: Root
beforeEach(() => {
  workspace = temporaryWorkspace({
    '.gitignore': 'dist/\n*.log\n!keep.log\n/src/generated\n',
    '.env': 'SECRET=1\n',
    'a.txt': 'one\n',
    'dist/out.js': '',
    'keep.log': '',
    'noise.log': '',
    'src/.gitignore': 'local.*\n',
    'src/app.ts': 'export {}\n',
    'src/deep/er/x.ts': '',
    'src/deep/local.json': '',
    'src/generated/g.ts': '',
    'späte/ünï.txt': '',
  })
  mkdirSync(join(workspace.path, '.git'))
  mkdirSync(join(workspace.path, 'empty'))
  symlinkSync('a.txt', join(workspace.path, 'link'))
  root = openRoot(workspace.path)
})
afterEach(() => {
  root.close()
  return workspace.remove()
})

const staging = createStaging()
const listed = (from: string, options: Partial<TreeOptions> = {}, mayList: (path: string) => boolean = () => true) =>
  listTree({ root, staging, claims: readsBelow('.'), mayList }, from, { depth: 1, limit: 1000, ...options })
const paths = (tree: ReturnType<typeof listed>) => tree.entries.map(({ path }) => path)

describe('listTree', () => {
  it('gives names and types in the order of names, without what is ignored', () => {
    const tree = listed('.')
    expect(tree.entries).toEqual([
      { path: '.env', type: 'file' },
      { path: '.gitignore', type: 'file' },
      { path: 'a.txt', type: 'file' },
      { path: 'empty', type: 'directory' },
      { path: 'keep.log', type: 'file' },
      { path: 'link', type: 'symlink' },
      { path: 'späte', type: 'directory' },
      { path: 'src', type: 'directory' },
    ])
    expect(tree).toMatchObject({ path: '.', total: 8, ignored: 3, filesHidden: 0, isPart: false })
  })

  it('gives names that are not UTF-8, and names with the sign for such', () => {
    const place = join(workspace.path, 'empty')
    writeFileSync(Buffer.concat([Buffer.from(`${place}/bad`), Buffer.of(0xff)]), '')
    writeFileSync(join(place, 'sign\u{fffd}'), '')
    expect(listed('empty').entries.map(({ path }) => path)).toEqual(['empty/bad\udcff', 'empty/sign\u{fffd}'])
  })

  it('gives the sizes of files where they are asked for', () => {
    const sized = listed('.', { sizes: true }).entries.filter(entry => 'size' in entry)
    expect(sized).toEqual([
      { path: '.env', type: 'file', size: 9 },
      { path: '.gitignore', type: 'file', size: 37 },
      { path: 'a.txt', type: 'file', size: 4 },
      { path: 'keep.log', type: 'file', size: 0 },
    ])
  })

  it('shows the files that ripgrep lists, at any depth and from any directory', () => {
    for (const from of ['.', 'src', 'src/deep']) {
      const theirs = execFileSync(rgPath, ['--files', '--hidden', '--glob=!.git', '--no-config', '--sort=path'], {
        cwd: join(workspace.path, from),
        encoding: 'utf8',
      })
      const ours = listed(from, { depth: 20 }).entries.filter(({ type }) => type === 'file')
      const below = from === '.' ? '' : `${from}/`
      expect(ours.map(({ path }) => path).toSorted()).toEqual(
        theirs
          .split('\n')
          .filter(Boolean)
          .map(path => below + path)
          .toSorted(),
      )
    }
  })

  it('shows all where that is asked', () => {
    expect(paths(listed('.', { all: true }))).toEqual(expect.arrayContaining(['.git', 'dist', 'noise.log']))
    expect(listed('.', { all: true }).ignored).toBe(0)
  })

  it('goes as deep as it is told, each directory before what is in it', () => {
    expect(paths(listed('src'))).toEqual(['src/.gitignore', 'src/app.ts', 'src/deep'])
    expect(paths(listed('src', { depth: 3 }))).toEqual([
      'src/.gitignore',
      'src/app.ts',
      'src/deep',
      'src/deep/er',
      'src/deep/er/x.ts',
    ])
  })

  it('gives page after page', () => {
    const whole = paths(listed('.', { depth: 5 }))
    const page = listed('.', { depth: 5, skip: 2, limit: 3 })
    expect(paths(page)).toEqual(whole.slice(2, 5))
    expect(page.total).toBe(whole.length)
  })

  it('leaves out and counts what may not be read, with all that is below it', () => {
    const tree = listed('.', { depth: 9 }, path => !path.startsWith('.env') && !path.startsWith('src'))
    expect(paths(tree).some(path => path.startsWith('src') || path === '.env')).toBe(false)
    expect(tree.filesHidden).toBe(2)
  })

  it('sees what is staged', () => {
    const changed = createStaging()
    changed.set('new.txt', { type: 'absent' }, { type: 'file', bytes: Buffer.from('12'), hash: '', mode: 0o644 })
    changed.set('new.log', { type: 'absent' }, { type: 'file', bytes: Buffer.from('12'), hash: '', mode: 0o644 })
    const tree = listTree({ root, staging: changed, claims: readsBelow('.'), mayList: () => true }, '.', {
      depth: 1,
      limit: 99,
    })
    expect(tree.entries).toContainEqual({ path: 'new.txt', type: 'file', size: 2 })
    expect(paths(tree)).not.toContain('new.log')
  })

  it.each([
    ['missing', 'not_found'],
    ['a.txt', 'not_a_directory'],
    ['../x', 'outside_workspace'],
  ])('has nothing to list in %s', (from, code) => {
    expect(() => listed(from)).toThrow(expect.objectContaining({ code }))
  })

  it('lists nothing that was not claimed', () => {
    const parts = { root, staging, claims: readsBelow('src'), mayList: () => true }
    expect(() => listTree(parts, '.', { depth: 1, limit: 9 })).toThrow(expect.objectContaining({ code: 'denied' }))
  })
})
