import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { openKnowledge } from './open-knowledge.ts'

let workspace: TemporaryWorkspace
let root: Root
let open: ReturnType<typeof openKnowledge> | undefined
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'needle\n', 'src/b.ts': 'export const b = 1\n' })
  root = openRoot(workspace.path)
  open = undefined
})
afterEach(async () => {
  await open?.close()
  root.close()
  await workspace.remove()
})

const rules = { compileGlob, isForeign: () => false, deniedBy: () => () => false }
const openOn = (of: Root) => {
  const store = { directory: join(workspace.base, 'search'), key: () => 'test' }
  return (open = openKnowledge({
    root: of,
    state: workspace.base,
    store,
    env: workspace.env,
    memoryBytes: 50_000_000,
    rules,
  }))
}

const SOON = { timeoutMs: 60_000 }
const GREP = { options: { patterns: ['needle'], maxResults: 10, timeoutMs: 60_000 }, leaveOut: [] }
const FIND = { directory: '.', glob: '**', options: { maxResults: 10, maxDepth: 10 }, leaveOut: [] }

describe('what the process holds', () => {
  it('is scanned for where the list of files failed, and says why', async () => {
    let fails = false
    const { knowledge, status } = openOn({
      ...root,
      get fd() {
        if (fails) throw new Error('a defect')
        return root.fd
      },
    })
    while (!(await status()).every(({ state }) => state === 'current')) await pause(10)
    expect(await knowledge.search.grep(GREP, SOON)).toMatchObject({
      total: 1,
      freshness: { source: 'index', checked: 'watch' },
    })
    fails = true
    workspace.write('c.txt', 'needle\n')
    await expect.poll(() => knowledge.search.grep(GREP, SOON)).toBeUndefined()
    expect(await knowledge.search.find(FIND, SOON)).toBeUndefined()
    expect(await knowledge.search.files({}, SOON)).toBeUndefined()
    await expect(knowledge.index.query({ query: { by: 'all' }, limit: 1 })).rejects.toMatchObject({ code: 'internal' })
    expect(await status()).toMatchObject([
      { name: 'search', failure: 'a defect' },
      { name: 'index', failure: 'a defect' },
    ])
  })
})
