import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { openTree, type DiskTree } from './open-tree.ts'

let workspace: TemporaryWorkspace
let root: Root
let tree: DiskTree | undefined
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'a', 'src/b.txt': 'b' })
  root = openRoot(workspace.path)
})
afterEach(() => {
  tree?.close()
  root.close()
  return workspace.remove()
})

/** A root that can be made to fail, in the background as well as before an answer. */
function failing(): { readonly fd: number; fails: Error | undefined } {
  const { fd } = root
  return {
    fails: undefined,
    get fd() {
      if (this.fails) throw this.fails
      return fd
    },
  }
}

const BEHIND = { state: 'behind', pending: expect.any(Number), why: 'a defect' }

// An unhandled rejection, which would end a program, fails every test here by itself.
describe('a defect in the work of a tree', () => {
  it('in the background makes it behind for good, with the reason', async () => {
    const held = failing()
    tree = openTree(held)
    await tree.caughtUp()
    expect(await tree.settle()).toEqual({ state: 'current', checked: 'watch' })
    held.fails = new Error('a defect')
    workspace.write('new.txt', '')
    await expect.poll(() => tree?.defect()).toBe('a defect')
    held.fails = undefined
    expect(await tree.settle()).toEqual(BEHIND)
    expect(await tree.settle({ strict: true })).toEqual(BEHIND)
    await expect(tree.caughtUp()).rejects.toMatchObject({
      code: 'internal',
      message: 'The list of files cannot be kept current: a defect',
    })
  })

  it('before an answer does the same', async () => {
    const held = failing()
    tree = openTree(held)
    await tree.caughtUp()
    held.fails = new Error('a defect')
    expect(await tree.settle()).toEqual(BEHIND)
  })

  it('in the first look ends the wait for it', async () => {
    const held = failing()
    tree = openTree(held)
    held.fails = new Error('a defect')
    await expect(tree.caughtUp()).rejects.toMatchObject({ code: 'internal' })
    expect(await tree.settle()).toEqual(BEHIND)
  })

  it('of a listener makes it behind, and the others get the change', async () => {
    tree = openTree(root)
    await tree.caughtUp()
    const heard: string[] = []
    tree.onChange(() => {
      throw Object.assign(new Error('a defect'), { code: 'EIO' })
    })
    tree.onChange(({ put }) => heard.push(...put.map(({ path }) => path)))
    workspace.write('new.txt', '')
    expect(await tree.settle()).toEqual(BEHIND)
    expect(heard).toEqual(['new.txt'])
  })

  it('is none where the system refuses for a while', async () => {
    const held = failing()
    tree = openTree(held)
    await tree.caughtUp()
    held.fails = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    workspace.write('new.txt', '')
    expect(await tree.settle()).toEqual({ state: 'behind', pending: expect.any(Number) })
    held.fails = undefined
    await tree.caughtUp()
    expect(await tree.settle()).toEqual({ state: 'current', checked: 'watch' })
    expect(tree.files().has('new.txt')).toBe(true)
  })
})
