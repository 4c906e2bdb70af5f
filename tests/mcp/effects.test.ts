// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { createMcpServer } from '../../src/mcp.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { connectTo, type Connection } from './connect.ts'

const it = needs('bubblewrap')

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({
    'tsconfig.json':
      '{ "compilerOptions": { "module": "esnext", "target": "esnext", "lib": ["es5"], "strict": true, "types": [] } }',
    'src/a.ts': 'export function f(x: number): number {\n  return x\n}\n',
    'src/b.ts': `import { f } from './a'\nexport const b: number = f(1)\n`,
    'src/c.ts': 'export const c = 1\n',
    'notes.txt': 'one\n',
  })
  // No answer of an edit has its effects.
  const home = workspace.env['TOOLWRIGHT_CONFIG_HOME'] ?? ''
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.json'), JSON.stringify({ effects: { deadlineMs: 0 } }))
})
afterEach(() => workspace.remove())

const open = async (): Promise<Connection> =>
  connectTo(await createMcpServer(await workspace.open({ permissions: ['fs:write'], effects: 'quick' })), {
    name: 'claude-code',
    version: '2.1.325',
  })

/** Edits a file, and returns the call that its answer names for the effects. */
async function edit(server: Connection, path: string, old: string, next: string): Promise<object> {
  const { text } = await server.call('edit', { path, edits: [{ old, new: next }] })
  const asked = /\nEffects: not judged yet: \d files?; effects (\{.*\}) waits for it$/.exec(text)?.[1]
  if (asked === undefined) throw new Error(text)
  return JSON.parse(asked)
}

const idIn = (asked: object): string => String(Reflect.get(asked, 'id'))

const WRONG_CALL = /summary: 1 new error\n[^]*src\/b\.ts:2:\d+ TS2345/

describe('effects that an answer refers to', () => {
  it('are known for the first of two quick edits of one file, as the file is now', async () => {
    await using server = await open()
    const first = await edit(server, 'src/a.ts', 'x: number', 'x: string')
    const second = await edit(server, 'src/a.ts', 'return x', 'return x.length')
    const { text, isError } = await server.call('effects', first)
    expect([isError, text]).toEqual([false, expect.stringMatching(WRONG_CALL)])
    expect(text).toContain(`note: Judged together with ${idIn(second)}, not judged yet either`)
    expect(text).toContain('complete: true')
    // What was asked for is not told once more.
    expect((await server.call('read', { path: 'notes.txt' })).text).not.toContain('known by now')
  })

  it('are known for each of two edits of two files, asked for at the same time', async () => {
    await using server = await open()
    const first = await edit(server, 'src/a.ts', 'x: number', 'x: string')
    const second = await edit(server, 'src/c.ts', 'c = 1', `c: number = 'x'`)
    const answers = await Promise.all([server.call('effects', first), server.call('effects', second)])
    for (const { text } of answers) {
      expect(text).toMatch(/summary: 3 new errors\n/)
      expect(text).not.toMatch(/cancelled|stopped/)
    }
  })

  it('of a change that was judged before include what came after it in the same file, and say so', async () => {
    await using server = await open()
    const first = await edit(server, 'src/a.ts', 'x: number', 'x: string')
    expect((await server.call('effects', first)).text).toMatch(/summary: 2 new errors\n/)
    const second = await edit(server, 'src/a.ts', 'return x', 'return x.length')
    await server.call('effects', second)
    const { text, isError } = await server.call('effects', first)
    expect([isError, text]).toEqual([false, expect.stringMatching(WRONG_CALL)])
    expect(text).toContain('note: Includes later changes of the same files: src/a.ts')
  })

  it('of a change that was undone are none, and this is said', async () => {
    await using server = await open()
    const asked = await edit(server, 'src/a.ts', 'x: number', 'x: string')
    await server.call('effects', asked)
    await server.call('effects', { id: /undo (\w+)\)/.exec((await server.call('undo', {})).text)?.[1] })
    const { text } = await server.call('effects', asked)
    expect(text).toContain('note: Nothing is left of this change: its files are as they were before it')
  })

  it('are known for a transaction by its id, and for no other id', async () => {
    await using server = await open()
    const begun = await server.call('stage', { action: 'begin' })
    const id = /transaction (\w+)/.exec(begun.text)?.[1]
    expect(await edit(server, 'src/a.ts', 'x: number', 'x: string')).toEqual({})
    expect((await server.call('effects', { id })).text).toMatch(/summary: 2 new errors\n/)
    expect((await server.call('effects', { id: 'zzz' })).text).toBe(
      'not_found: There is no change zzz here, or it is too old\n' +
        'Give the undo id that the answer of a change has, or none for the last change',
    )
  })

  it('that nothing can judge say why', async () => {
    await using server = await open()
    expect((await server.call('effects', {})).text).toContain('note: Nothing is staged, and nothing has landed yet')
    await server.call('edit', { path: 'notes.txt', edits: [{ old: 'one', new: 'two' }] })
    expect((await server.call('effects', {})).text).toContain('note: No language server judges the changed files')
  })

  it('are in a later answer where nobody asks for them, those of all quick edits together', async () => {
    await using server = await open()
    const first = await edit(server, 'src/a.ts', 'x: number', 'x: string')
    const second = await edit(server, 'src/a.ts', 'return x', 'return x.length')
    await vi.waitFor(
      async () =>
        expect((await server.call('read', { path: 'notes.txt' })).text).toMatch(
          new RegExp(`Of changes ${idIn(first)}, ${idIn(second)}, known by now:\nEffects: 1 new error\n`),
        ),
      { timeout: 60_000, interval: 200 },
    )
  })

  it.each([
    ['as long as it is open', undefined, 'the transaction', 1],
    ['as landed once it has', 'commit', 'the change', 1],
    ['not at all where it was rolled back', 'rollback', '', 0],
  ] as const)('are told once, for all of a transaction: %s', async (_when, action, of, times) => {
    await using server = await open()
    const [transaction] = /\w{18}/.exec((await server.call('stage', { action: 'begin' })).text) ?? []
    await edit(server, 'src/a.ts', 'x: number', 'x: string')
    await edit(server, 'src/c.ts', 'c = 1', `c: number = 'x'`)
    const ended = action && (await server.call('stage', { action })).text
    const [, undo] = /undo (\w+)\)/.exec(ended ?? '') ?? []
    // Until these are judged, so are those before them.
    const other = action === 'rollback' ? await edit(server, 'src/c.ts', 'c = 1', `c: string = 1`) : undefined
    const told: string[] = []
    await vi.waitFor(
      async () => {
        told.push((await server.call('read', { path: 'notes.txt' })).text)
        expect(told.at(-1)).toContain('known by now:\n')
      },
      { timeout: 60_000, interval: 200 },
    )
    await pause(1_000)
    told.push((await server.call('read', { path: 'notes.txt' })).text)
    const reports = told.join('\n').match(/Of changes? .*\n.*/g) ?? []
    const id = of === 'the transaction' ? transaction : undo
    expect(reports.filter(report => !other || !report.includes(idIn(other)))).toEqual(
      times === 0 ? [] : [`Of change ${id}, known by now:\nEffects: 3 new errors`],
    )
  })
})
