import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { listFiles } from '../search/list-files.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { openTree } from './open-tree.ts'
import type { Tree } from './tree.ts'

let workspace: TemporaryWorkspace
let root: Root
let tree: Tree
beforeEach(async () => {
  workspace = temporaryWorkspace({ 'a.txt': 'a', 'src/b.txt': 'b', '.hidden/c.txt': 'c' })
  root = openRoot(workspace.path)
  tree = openTree(root)
  await tree.caughtUp()
})
afterEach(() => {
  tree.close()
  root.close()
  return workspace.remove()
})

const listed = () => [...tree.files().keys()].toSorted()
const at = (path: string) => join(workspace.path, path)

async function byRipgrep(): Promise<string[]> {
  const found: string[] = []
  await listFiles({ cwd: workspace.path, args: [], timeoutMs: 20_000, onFile: path => found.push(path) })
  return found.toSorted()
}

async function expectCurrent(): Promise<void> {
  let state = await tree.settle()
  for (; state.state === 'behind'; state = await tree.settle()) await tree.caughtUp()
  expect(state).toEqual({ state: 'current', checked: 'watch' })
  expect(listed()).toEqual(await byRipgrep())
}

describe('a tree', () => {
  it('lists what ripgrep lists, hidden files too', () => {
    expect(listed()).toEqual(['.hidden/c.txt', 'a.txt', 'src/b.txt'])
  })

  it('knows a file that was written just before the question', async () => {
    workspace.write('src/new.txt', 'new')
    await expectCurrent()
    expect(tree.files().get('src/new.txt')?.size).toBe(3)
  })

  it('finds a file in directories made a moment ago', async () => {
    mkdirSync(at('x/y/z'), { recursive: true })
    writeFileSync(at('x/y/z/file'), '')
    await expectCurrent()
    expect(listed()).toContain('x/y/z/file')
  })

  it('tells of a renamed directory as files gone and put', async () => {
    const changes = { put: new Array<string>(), gone: new Array<string>() }
    tree.onChange(({ put, gone }) => {
      changes.put.push(...put.map(file => file.path))
      changes.gone.push(...gone)
    })
    const version = tree.version()
    renameSync(at('src'), at('lib'))
    await expectCurrent()
    expect(changes).toEqual({ put: ['lib/b.txt'], gone: ['src/b.txt'] })
    expect(tree.version()).toBeGreaterThan(version)
    workspace.write('lib/b.txt', 'changed')
    await expectCurrent()
    expect(tree.files().get('lib/b.txt')?.size).toBe(7)
  })

  it('gives another stamp to a file replaced by one of the same size within a second', async () => {
    for (let round = 0; round < 50; round++) {
      const before = tree.files().get('a.txt')?.stamp
      writeFileSync(at('a.txt'), String(round % 10))
      await tree.settle()
      expect(tree.files().get('a.txt')?.stamp).not.toBe(before)
    }
  })

  it('follows an ignore file that comes, changes and goes', async () => {
    workspace.write('.ignore', '*.txt\n')
    await expectCurrent()
    expect(listed()).toEqual(['.ignore'])
    workspace.write('.ignore', '*.log\n')
    await expectCurrent()
    expect(listed()).toContain('src/b.txt')
    workspace.write('src/.ignore', 'b.*\n')
    await expectCurrent()
    rmSync(at('src/.ignore'))
    await expectCurrent()
    expect(listed()).toContain('src/b.txt')
  })
})
