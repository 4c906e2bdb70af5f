import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { openParts } from './open-parts.ts'
import type { PartStatus, ResidentPart } from './part.ts'

let workspace: TemporaryWorkspace
let root: Root
let parts: readonly ResidentPart[]
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'needle\n', 'src/b.ts': 'export const b = 1\n' })
  root = openRoot(workspace.path)
  parts = []
})
afterEach(async () => {
  for (const part of parts) await part.close()
  root.close()
  await workspace.remove()
})

const rules = { compileGlob, isForeign: () => false, deniedBy: () => () => false }
const open = (of: Root): void => {
  parts = openParts({ root: of, state: workspace.base, env: workspace.env, memoryBytes: 50_000_000, rules })
}

async function ask(method: string, params: object): Promise<unknown> {
  const [answer] = parts.flatMap(part => part.answers[method] ?? [])
  return answer?.({ params, signal: new AbortController().signal, client: {} })
}

const statuses = async (): Promise<PartStatus[]> => Promise.all(parts.flatMap(part => part.status?.() ?? []))

async function built(): Promise<void> {
  while (!(await statuses()).every(({ state }) => state === 'current')) await pause(10)
}

const GREP = { options: { patterns: ['needle'], maxResults: 10, timeoutMs: 60_000 }, leaveOut: [] }
const FIND = { directory: '.', glob: '**', options: { maxResults: 10, maxDepth: 10 }, leaveOut: [] }

describe('what the process holds', () => {
  it('is scanned for where the list of files failed, and says why', async () => {
    let fails = false
    open({
      ...root,
      get fd() {
        if (fails) throw new Error('a defect')
        return root.fd
      },
    })
    await built()
    expect(await ask('search.grep', GREP)).toMatchObject({ total: 1, freshness: { source: 'index', checked: 'watch' } })
    fails = true
    workspace.write('c.txt', 'needle\n')
    await expect.poll(() => ask('search.grep', GREP)).toBe(null)
    expect(await ask('search.find', FIND)).toBe(null)
    expect(await ask('search.files', {})).toBe(null)
    await expect(ask('index.query', { query: { by: 'all' }, limit: 1 })).rejects.toMatchObject({ code: 'internal' })
    expect(await statuses()).toMatchObject([
      { name: 'search', failure: 'a defect' },
      { name: 'index', failure: 'a defect' },
    ])
  })
})
