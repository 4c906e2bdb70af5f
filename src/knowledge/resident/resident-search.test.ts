import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import type { Connection } from './connect.ts'
import { openParts } from './open-parts.ts'
import type { ResidentPart } from './part.ts'
import { residentSearch } from './resident-search.ts'

let workspace: TemporaryWorkspace
let root: Root
let parts: readonly ResidentPart[]
/** What went over the line, as text. */
let told: string[]
beforeEach(() => {
  workspace = temporaryWorkspace({
    'a.ts': '',
    'b.ts': '',
    'lib/c.ts': '',
    'lib/d.md': '',
    'lib/e.md': '',
    'lib/ü.ts': '',
  })
  root = openRoot(workspace.path)
  const rules = { compileGlob, isForeign: () => false, deniedBy: () => () => false }
  parts = openParts({ root, state: workspace.base, env: workspace.env, memoryBytes: 50_000_000, rules })
  told = []
})
afterEach(async () => {
  for (const part of parts) await part.close()
  root.close()
  await workspace.remove()
})

/** A line to the parts in this process. */
const line: Connection = {
  pid: process.pid,
  isOpen: () => true,
  isSilent: () => false,
  close: () => undefined,
  async ask(method, params) {
    const [answer] = parts.flatMap(part => part.answers[method] ?? [])
    const text = JSON.stringify(await answer?.({ params, signal: new AbortController().signal, client: {} }))
    told.push(text)
    return JSON.parse(text)
  },
}

it('is told of all files once, and then only which of them were found', async () => {
  const search = residentSearch({ reach: () => Promise.resolve(line), close: () => undefined })
  const find = async (glob: string): Promise<readonly string[] | undefined> => {
    const options = { maxResults: 10, maxDepth: 10 }
    for (const until = Date.now() + 10_000; Date.now() < until; await pause(20)) {
      const found = await search().find('.', glob, options, { leaveOut: [] })
      if (found) return found.files
    }
    return undefined
  }
  expect(await find('b.*')).toEqual(['b.ts'])
  expect(told.at(-1)).toContain('"files":["b.ts"]')
  expect(await find('**/*.ts')).toEqual(['a.ts', 'b.ts', 'lib/c.ts', 'lib/ü.ts'])
  expect(told.at(-1)).toContain('lib/d.md')
  expect(await find('**/*.ts')).toEqual(['a.ts', 'b.ts', 'lib/c.ts', 'lib/ü.ts'])
  expect(await find('b.*')).toEqual(['b.ts'])
  expect(told.slice(-2).join()).not.toContain('.ts')

  workspace.write('lib/b.ts', '')
  expect(await find('**/b.*')).toEqual(['b.ts', 'lib/b.ts'])
  expect(await find('**')).toHaveLength(7)
  expect(told.at(-1)).not.toContain('.ts')
})
