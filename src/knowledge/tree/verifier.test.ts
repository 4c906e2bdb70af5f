import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { temporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { listFiles } from '../search/list-files.ts'
import { openRoot } from '../../machine/workspace/root.ts'
import { openTree } from './open-tree.ts'

const DIRECTORIES = 5
const EACH = 450

it('finds every change in a large workspace without watchers, with the help of other threads', async () => {
  const files: Record<string, string> = { 'ä/ö.txt': 'odd' }
  for (let at = 0; at < DIRECTORIES * EACH; at++) files[`d${at % DIRECTORIES}/e/${at}.txt`] = String(at)
  const workspace = temporaryWorkspace(files)
  const root = openRoot(workspace.path)
  const tree = openTree(root, { mostWatched: 0 })
  const at = (path: string) => join(workspace.path, path)
  const expectCurrent = async () => {
    expect(await tree.settle({ strict: true })).toEqual({ state: 'current', checked: 'stat' })
    const listed: string[] = []
    await listFiles({ cwd: workspace.path, args: [], timeoutMs: 20_000, onFile: path => listed.push(path) })
    expect([...tree.files().keys()].toSorted()).toEqual(listed.toSorted())
    const stale = [...tree.files()].filter(([path, { size, ctimeMs }]) => {
      const stats = lstatSync(at(path))
      return stats.size !== size || stats.ctimeMs !== ctimeMs
    })
    expect(stale).toEqual([])
  }
  try {
    await tree.caughtUp()
    await expectCurrent()
    // Threads start slowly; an earlier request stats alone.
    for (let round = 0; round < 6; round++) {
      await pause(round * 40)
      writeFileSync(at(`d0/e/${round * 5}.txt`), `${round} is longer`)
      writeFileSync(at('d1/e/1.txt'), String(round % 10))
      writeFileSync(at('ä/ö.txt'), String(round))
      writeFileSync(at(`d2/e/new${round}.txt`), 'new')
      rmSync(at(`d3/e/${3 + round * 5}.txt`))
      renameSync(at(`d4/e/${4 + round * 5}.txt`), at(`d4/moved${round}.txt`))
      mkdirSync(at(`d4/f${round}`))
      await expectCurrent()
    }
    // Two at once: neither takes what was seen before its question.
    const early = tree.settle({ strict: true })
    writeFileSync(at('d1/e/6.txt'), 'between')
    await Promise.all([early, tree.settle({ strict: true })])
    expect(tree.files().get('d1/e/6.txt')?.size).toBe('between'.length)
  } finally {
    tree.close()
    root.close()
    await workspace.remove()
  }
})
