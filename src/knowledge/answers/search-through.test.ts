import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import type { SearchKnowledge } from './knowledge.ts'
import { openKnowledge } from './open-knowledge.ts'
import { searchThrough } from './search-through.ts'

let workspace: TemporaryWorkspace
let root: Root
let open: ReturnType<typeof openKnowledge>
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
  const store = { directory: join(workspace.base, 'search'), key: () => 'test' }
  open = openKnowledge({ root, state: workspace.base, store, env: workspace.env, memoryBytes: 50_000_000, rules })
  told = []
})
afterEach(async () => {
  await open.close()
  root.close()
  await workspace.remove()
})

/** Answers here, and keeps what would go over a socket. */
const noted = (): SearchKnowledge => {
  const { files, grep, find } = open.knowledge.search
  const note = <Answer>(answer: Answer): Answer => {
    told.push(JSON.stringify(answer))
    return answer
  }
  return {
    files: async (...asked) => note(await files(...asked)),
    grep: async (...asked) => note(await grep(...asked)),
    find: async (...asked) => note(await find(...asked)),
  }
}

it('is told of all files once, and then only which of them were found', async () => {
  const search = searchThrough(noted())
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
