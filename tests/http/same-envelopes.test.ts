import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shortAnswer } from '../../src/surfaces/mcp/short-answer.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { runIn } from '../cli/rig.ts'
import { connect } from '../mcp/connect.ts'
import { mcpClient } from './mcp-client.ts'
import { ALLOWING, serveTest } from './rig.ts'

const FILES = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.txt': 'alpha\n',
  'src/x.ts': 'export const price = 10\nexport const tax = 2\n',
  'src/y.ts': "import { price } from './x.ts'\nexport const total = price * 2\n",
  'data.bin': 'a\u0000b',
  'deep/er/c.txt': 'c\n',
}

type Call = readonly [tool: string, input: object]

const read = (path: string, more: object = {}): Call => ['read', { path, ...more }]
const write = (path: string, content: string, more: object = {}): Call => ['write', { path, content, ...more }]
const edit = (path: string, old: string, next: string): Call => ['edit', { path, edits: [{ old, new: next }] }]

/** In this order, in one session: what a call reads and changes counts for those after it. */
const CALLS: readonly Call[] = [
  read('a.txt'),
  read('a.txt', { from: 2, to: 2 }),
  read('a.txt', { from: 9 }),
  read('none.txt'),
  read('../outside.txt'),
  read('/etc/passwd'),
  read('src'),
  read('data.bin'),
  ['read', {}],
  ['read', { path: 'a.txt', nonsense: 1 }],
  ['list', { depth: 1 }],
  ['list', { path: 'deep', depth: 3 }],
  ['list', { path: 'none' }],
  ['find', { glob: '*.ts' }],
  ['find', { glob: '*.none' }],
  ['find', { glob: '[' }],
  ['grep', { pattern: 'price' }],
  ['grep', { pattern: 'price', after: 1 }],
  ['grep', { pattern: 'none at all' }],
  ['grep', { pattern: '(' }],
  write('new.txt', 'new\n', { expect: 'absent' }),
  write('new.txt', 'again\n', { expect: 'absent' }),
  write('b.txt', 'unread\n'),
  read('b.txt'),
  write('b.txt', 'beta\n'),
  write('.git/hooks/pre-commit', 'x'),
  write('../out.txt', 'x'),
  write('src', 'x'),
  edit('a.txt', 'two', '2'),
  edit('a.txt', 'two', '2'),
  edit('none.txt', 'a', 'b'),
  ['edit', { path: 'a.txt', edits: [{ old: 'e', new: 'E' }] }],
  ['edit', { path: 'a.txt', edits: [] }],
  ['move', { from: 'new.txt', to: 'moved.txt' }],
  ['move', { from: 'new.txt', to: 'elsewhere.txt' }],
  ['move', { from: 'a.txt', to: 'b.txt' }],
  ['delete', { path: 'moved.txt' }],
  ['delete', { path: 'moved.txt' }],
  ['undo', {}],
  ['undo', { id: 'none' }],
  ['patch', { diff: '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-beta\n+gamma\n' }],
  ['patch', { diff: '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-beta\n+gamma\n' }],
  ['patch', { diff: 'no diff' }],
  ['plan', {}],
  ['plan', { items: [{ content: 'Do', activeForm: 'Doing', status: 'in_progress' }] }],
  ['plan', { items: [{ content: 'Do' }] }],
  ['stage', { action: 'commit' }],
  ['stage', { action: 'rollback' }],
  ['stage', { action: 'nonsense' }],
  ['fetch', { url: 'https://example.com' }],
  ['fetch', { url: 'no address' }],
  ['symbols', { path: 'src/x.ts' }],
  ['symbols', { path: 'none.ts' }],
  ['docs', { query: '' }],
  ['fixes', {}],
  ['no_such_tool', {}],
  read('src/x.ts'),
  edit('src/x.ts', 'tax = 2', 'tax = 3'),
  read('src/x.ts', { from: 2, to: 2 }),
  ['list', { depth: 1 }],
]

/** How the others say that there is no one to ask. */
const NOBODY = 'no one can be asked here (non-interactive)'

/** What differs from call to call however it is made. */
const VARIES = new Set([
  'id',
  'undo',
  'undone',
  'durationMs',
  'startedAt',
  'endedAt',
  'modified',
  'mtime',
  'generatedAt',
])

/** Known only once files were indexed, which a process beside the call does meanwhile. */
const EARLY = new Set(['exports', 'freshness'])

/** Replaces what differs, and the directory of the workspace. */
function comparable(value: unknown, root: string, without: readonly string[] = []): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(root, 'ROOT')
      .replaceAll(/\b0m[a-z0-9]{16}\b/g, 'ID')
      .replace("'test-client' cannot show questions", NOBODY)
  if (Array.isArray(value)) return value.map(each => comparable(each, root, without))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      if (EARLY.has(key) || without.includes(key)) return []
      return [[key, VARIES.has(key) ? 'varies' : comparable(each, root, without)]]
    }),
  )
}

interface Way {
  readonly root: string
  readonly answers: readonly unknown[]
}

const workspaces: TemporaryWorkspace[] = []
afterAll(async () => {
  for (const workspace of workspaces) await workspace.remove()
})

function workspaceOf(): TemporaryWorkspace {
  const workspace = temporaryWorkspace(FILES)
  workspaces.push(workspace)
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ effects: { mode: 'off' }, ...ALLOWING }))
  return workspace
}

async function byLibrary(): Promise<Way> {
  const workspace = workspaceOf()
  const kit = await workspace.open()
  const answers: unknown[] = []
  for (const [tool, input] of CALLS) answers.push(await kit.call(tool, input, { abridged: true }))
  return { root: workspace.path, answers: answers.map(answer => JSON.parse(JSON.stringify(answer))) }
}

async function byCommandLine(): Promise<Way> {
  const workspace = workspaceOf()
  const input = CALLS.map(([tool, given]) => `${JSON.stringify({ tool, input: given })}\n`).join('')
  const { bytes } = await runIn(workspace, ['call', '--jsonl', '--effects', 'off'], { input })
  const lines = bytes.toString().trimEnd().split('\n')
  return { root: workspace.path, answers: lines.map(line => JSON.parse(line)) }
}

async function byHttp(): Promise<Way> {
  const served = await serveTest(FILES, { config: ALLOWING })
  try {
    const answers: unknown[] = []
    for (const [tool, input] of CALLS) {
      const response = await served.request('POST', '/v1/calls', { body: { tool, input } })
      expect([tool, response.status]).toEqual([tool, 200])
      answers.push(await response.json())
    }
    return { root: served.workspace.path, answers }
  } finally {
    await served.stop()
  }
}

/** Over MCP an unknown tool is an error of the protocol, and has no envelope. */
async function byMcp(): Promise<Way> {
  const workspace = workspaceOf()
  const server = await connect(workspace, { args: ['--structured', 'always'], protocol: '2025-11-25' })
  try {
    const answers: unknown[] = []
    for (const [tool, input] of CALLS)
      answers.push(
        await server.call(tool, input).then(
          ({ structured }) => structured,
          (error: Error) => error,
        ),
      )
    return { root: workspace.path, answers }
  } finally {
    await server.client.close()
  }
}

async function byMcpOverHttp(protocol: '2025-11-25' | undefined): Promise<Way> {
  const served = await serveTest(FILES, { config: ALLOWING })
  const client = await mcpClient(served, protocol === undefined ? {} : { protocol })
  try {
    const answers: unknown[] = []
    for (const [name, input] of CALLS)
      answers.push(
        await client.callTool({ name, arguments: { ...input } }).then(
          ({ structuredContent }) => structuredContent,
          (error: Error) => error,
        ),
      )
    return { root: served.workspace.path, answers }
  } finally {
    await client.close()
    await served.stop()
  }
}

describe('the same 60 calls', () => {
  let library: Way
  beforeAll(async () => {
    library = await byLibrary()
  })

  const expected = (): readonly unknown[] => library.answers.map(answer => comparable(answer, library.root))

  it('are 60, and fail in many ways', () => {
    expect(CALLS).toHaveLength(60)
    const codes = new Set(library.answers.map(answer => Object(Object(answer).error).code))
    expect(codes.size).toBeGreaterThan(10)
    expect(library.answers.filter(answer => Object(answer).ok === true).length).toBeGreaterThan(20)
  })

  it('have the same envelopes over HTTP', async () => {
    const { root, answers } = await byHttp()
    expect(answers.map(answer => comparable(answer, root))).toEqual(expected())
  })

  it('have the same envelopes on the command line', async () => {
    const { root, answers } = await byCommandLine()
    expect(answers.map(answer => comparable(answer, root))).toEqual(expected())
  })

  it.each([
    ['standard input and output', byMcp],
    ['HTTP since 2026-07-28', () => byMcpOverHttp(undefined)],
    ['HTTP in a session of 2025-11-25', () => byMcpOverHttp('2025-11-25')],
  ])('have the same envelopes over MCP, short and with hints in its own words: %s', async (_, way) => {
    const { root, answers } = await way()
    const short = library.answers.map(answer => comparable(shortAnswer(answer), library.root, ['hint']))
    const known = CALLS.map(([tool], at) => [tool, at] as const).filter(([tool]) => tool !== 'no_such_tool')
    expect(known.map(([, at]) => comparable(answers[at], root, ['hint']))).toEqual(known.map(([, at]) => short[at]))
    expect(answers[CALLS.findIndex(([tool]) => tool === 'no_such_tool')]).toBeInstanceOf(Error)
  })
})
