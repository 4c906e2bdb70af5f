import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { openTree } from './open-tree.ts'
import { loadTree, saveTree, type SavedTree } from './saved-tree.ts'

let workspace: TemporaryWorkspace
let root: Root
let file: string
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'a', 'src/b.txt': 'b', 'src/\u00e9.txt': 'c', 'old.txt': '' })
  writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/`), Buffer.of(0xff)]), '')
  root = openRoot(workspace.path)
  file = join(workspace.base, 'saved')
})
afterEach(() => {
  root.close()
  return workspace.remove()
})

/** One process: looks at the workspace, tells what it heard and saves what it knows. */
async function look(saved?: SavedTree) {
  const tree = openTree(root, { saved })
  const heard: string[] = []
  tree.onChange(({ put, gone }) => heard.push(...put.map(({ path }) => path), ...gone.map(path => `-${path}`)))
  await tree.caughtUp()
  saveTree(tree.files(), file)
  tree.close()
  return {
    heard: heard.toSorted(),
    stamps: Object.fromEntries([...tree.files()].map(([path, { stamp }]) => [path, stamp])),
  }
}

describe('a saved tree', () => {
  it('tells the next process only of what changed in between', async () => {
    await pause(50)
    const first = await look()
    expect(first.heard).toEqual(['a.txt', 'old.txt', 'src/b.txt', 'src/\u00e9.txt', '\udcff'])
    expect(await look(loadTree(file))).toEqual({ heard: [], stamps: first.stamps })
    workspace.write('src/b.txt', 'changed')
    workspace.write('new/c.txt', '')
    rmSync(join(workspace.path, 'old.txt'))
    expect((await look(loadTree(file))).heard).toEqual(['-old.txt', 'new/c.txt', 'src/b.txt'])
  })

  it('does not vouch for a file that was written a moment before it was looked at', async () => {
    // On a busy machine the moment may be over before the look.
    const doubted = async (): Promise<boolean> => {
      workspace.write('a.txt', 'b')
      const first = await look()
      const second = await look(loadTree(file))
      return second.heard.includes('a.txt') && second.stamps['a.txt'] !== first.stamps['a.txt']
    }
    await expect.poll(doubted, { interval: 1 }).toBe(true)
    await pause(50)
    await look(loadTree(file))
    expect(await look(loadTree(file))).toMatchObject({ heard: [] })
  })

  it('is passed over where it is missing, damaged or of another version', async () => {
    expect(loadTree(file)).toBe(undefined)
    await look()
    const good = readFileSync(file)
    for (const at of [0, 16, 30, good.length >> 1, good.length - 1]) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] ?? 0) ^ 1
      writeFileSync(file, bad)
      expect(loadTree(file), `byte ${at}`).toBe(undefined)
    }
    writeFileSync(file, good.subarray(0, good.length - 10))
    expect(loadTree(file)).toBe(undefined)
    writeFileSync(file, good)
    expect(loadTree(file)?.files).toHaveLength(5)
  })
})
