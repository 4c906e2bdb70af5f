// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createMcpServer } from '../../src/surfaces/mcp/create-mcp-server.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { connectTo, type Connection } from './connect.ts'

const it = needs('bubblewrap')

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({
    'src/a.ts': 'export const one = 1\nexport const two = one\n',
    'src/deep/b.ts': 'const other = "one"\n',
    'c.txt': 'a\nb',
  })
})
afterEach(() => workspace.remove())

const open = async (): Promise<Connection> =>
  connectTo(await createMcpServer(await workspace.open({ permissions: ['fs:write', 'exec'] })))

/** Of the call and not of what was asked: no model needs them. */
const OF_THE_CALL = new Set(['ok', 'id', 'durationMs', 'freshness', 'complete', 'left'])
/** What the text shows as a mark at the name, or in place of a list's length. */
const MARKS: Readonly<Record<string, string>> = { file: '', directory: '/', symlink: '@' }

/** Every fact of a structured answer that its text has to have, with where it stands. */
function factsOf(value: unknown, place: readonly string[] = []): readonly (readonly [string, string])[] {
  const name = place.at(-1) ?? ''
  if (OF_THE_CALL.has(name) || value === false || value === 0 || value === '') return []
  if (value === true) return [[place.join('.'), name]]
  if (Array.isArray(value)) return value.flatMap((each, at) => factsOf(each, [...place, String(at)]))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) => factsOf(each, [...place, key]))
  const words = name === 'hash' ? [String(value).slice(0, 16)] : String(value).split('\n')
  return words
    .filter(word => word !== '')
    .map(word => [place.join('.'), name === 'type' ? (MARKS[word] ?? word) : word])
}

type Call = readonly [tool: string, input: object]

const CALLS: readonly (readonly [tool: string, input: object, before?: readonly Call[]])[] = [
  ['read', { path: 'src/a.ts' }],
  ['read', { path: 'src/a.ts', from: 2, to: 2 }],
  ['list', { depth: 3 }],
  ['find', { glob: '*.ts' }],
  ['grep', { pattern: 'one', after: 1 }],
  ['grep', { pattern: 'one', only: 'counts' }],
  ['write', { path: 'new.ts', content: 'x\n', expect: 'absent' }],
  ['edit', { path: 'src/a.ts', edits: [{ old: 'one = 1', new: 'one = 2' }] }, [['read', { path: 'src/a.ts' }]]],
  ['move', { from: 'c.txt', to: 'd.txt' }],
  ['delete', { path: 'c.txt' }],
  ['patch', { diff: '--- a/c.txt\n+++ b/c.txt\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n' }],
  ['run', { command: 'echo out; echo err >&2; exit 3' }],
  ['undo', {}, [['delete', { path: 'c.txt' }]]],
  [
    'stage',
    { action: 'rollback' },
    [
      ['stage', { action: 'begin' }],
      ['delete', { path: 'c.txt' }],
    ],
  ],
  [
    'stage',
    { action: 'commit' },
    [
      ['stage', { action: 'begin' }],
      ['delete', { path: 'c.txt' }],
    ],
  ],
]

describe('text and structured content', () => {
  it.each(CALLS.map(([tool, input, before = []]) => ({ tool, input, before })))(
    'of $tool $input have the same facts',
    async ({ tool, input, before }) => {
      await using server = await open()
      for (const [name, given] of before) expect((await server.call(name, given)).isError).toBe(false)
      const { text, structured, isError } = await server.call(tool, input)
      expect(isError).toBe(false)
      expect(factsOf(structured).length).toBeGreaterThan(1)
      expect(factsOf(structured).filter(([, fact]) => !text.includes(fact))).toEqual([])
    },
  )

  it('tell a file that ends without a newline from one that does not', async () => {
    workspace.write('d.txt', 'a\nb\n')
    await using server = await open()
    expect((await server.call('read', { path: 'c.txt' })).text).toContain('no newline at the end')
    expect((await server.call('read', { path: 'd.txt' })).text).not.toContain('no newline')
  })

  it('say that a transaction was rolled back', async () => {
    await using server = await open()
    await server.call('stage', { action: 'begin' })
    await server.call('delete', { path: 'c.txt' })
    const { text, structured } = await server.call('stage', { action: 'rollback' })
    expect(text).toMatch(/^stage rollback \(.*1 dropped\)/)
    expect(structured.data.action).toBe('rollback')
  })

  it('echo no edit, and name no list without anything in it', async () => {
    await using server = await open()
    await server.call('read', { path: 'src/a.ts' })
    const { text, structured } = await server.call('edit', {
      path: 'src/a.ts',
      edits: [{ old: 'one = 1', new: 'one = 2' }],
      effects: 'complete',
    })
    expect(structured.data.applied).toEqual([{ line: 1, lines: 1 }])
    expect(JSON.stringify(structured)).not.toMatch(/\[\]|"total":0/)
    expect(JSON.stringify(structured).length).toBeLessThan(text.length * 4)
  })

  it('count the changed files that they do not name', async () => {
    await using server = await open()
    const { text, structured } = await server.call('run', {
      command: `for i in $(seq 1 60); do echo x > f$i-${'n'.repeat(100)}; done`,
    })
    const { changed, changedInAll } = structured.meta
    expect(changedInAll).toBe(60)
    expect(changed.length).toBeLessThan(60)
    expect(text).toContain(`${changed.at(-1)} and ${60 - changed.length} more`)
  })
})
