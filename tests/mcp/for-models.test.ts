// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createMcpServer } from '../../src/surfaces/mcp/create-mcp-server.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { connect, connectTo, type Connection } from './connect.ts'

const it = needs('bubblewrap')

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.ts': 'export const one = 1\n\tconst two = "2"  \n' })
})
afterEach(() => workspace.remove())

const CLAUDE_CODE = { name: 'claude-code', version: '2.1.325' }

const open = async (client = CLAUDE_CODE, structured?: 'never' | 'auto' | 'always'): Promise<Connection> => {
  const kit = await workspace.open({ permissions: ['fs:write', 'exec'] })
  return connectTo(await createMcpServer(kit, structured && { structured }), client)
}

describe('what a model reads', () => {
  it('is source with its line numbers, to the last blank', async () => {
    await using server = await open()
    const { text } = await server.call('read', { path: 'a.ts' })
    expect(text).toMatch(
      /^a\.ts \(lines 1-2 of 2, .*hash [0-9a-f]{16}\)\n1\texport const one = 1\n2\t\tconst two = "2" {2}$/,
    )
  })

  it('has as much of the hash as a change needs for its condition', async () => {
    await using server = await open()
    const { text } = await server.call('read', { path: 'a.ts' })
    const hash = /hash ([0-9a-f]+)\)/.exec(text)?.[1] ?? ''
    const edit = (expected: string) => ({
      path: 'a.ts',
      edits: [{ old: 'one = 1', new: 'one = 3' }],
      expect: expected,
    })
    for (const other of [hash.slice(0, 15), hash.replace(/^./, digit => (digit === '0' ? '1' : '0')), ''])
      expect((await server.call('edit', edit(other))).text).toMatch(/^conflict: /)
    expect((await server.call('edit', edit(hash))).isError).toBe(false)
    expect(workspace.read('a.ts')).toContain('one = 3')
  })

  it('is the names in a directory, from there', async () => {
    for (const path of ['many/b.ts', 'many/sub/c.ts', 'many/.ignore']) workspace.write(path, 'x.log\n')
    workspace.write('many/x.log', '')
    await using server = await open()
    const { text } = await server.call('list', { path: 'many', depth: 2 })
    expect(text.split('\n')).toEqual(['many/ (4 of 4, ignored 1)', '.ignore', 'b.ts', 'sub/', 'sub/c.ts'])
    const sized = await server.call('list', { path: 'many/sub', sizes: true })
    expect(sized.text.split('\n')).toEqual(['many/sub/ (1 of 1)', 'c.ts  6'])
    const [head, ...rest] = (await server.call('list', { path: 'many', limit: 1 })).text.split('\n')
    expect([head, rest.at(-1)]).toEqual(['many/ (1 of 3, ignored 1)', 'More: the same call of list with {"skip":1}'])
    mkdirSync(join(workspace.path, 'none'))
    expect((await server.call('list', { path: 'none' })).text).toBe('none/ (0 of 0)')
  })

  it('says of a list that was cut that there is more', async () => {
    workspace.write('many.ts', 'export const f1 = 1, f2 = 2, f3 = 3\n')
    await using server = await open()
    const { text } = await server.call('symbols', { query: 'f', path: 'many.ts', limit: 2 })
    expect(text).toMatch(/^symbols \(the first 2 symbols\b/)
    expect(text).toContain('There are more: call again with a higher limit')
    const all = await server.call('symbols', { query: 'f', path: 'many.ts', limit: 3 })
    expect(all.text).toMatch(/^symbols \(3 symbols\b/)
    expect(all.text).not.toContain('There are more')
  })

  it('is matches by file', async () => {
    workspace.write('src/b.ts', 'const one = 2\n\nconst other = one\n')
    await using server = await open()
    const { text } = await server.call('grep', { pattern: 'one', before: 1 })
    expect(text.split('\n').slice(1)).toEqual([
      'a.ts',
      '1: export const one = 1',
      'src/b.ts',
      '1: const one = 2',
      '2- ',
      '3: const other = one',
    ])
  })

  it('is what a command printed, and how it ended', async () => {
    await using server = await open()
    const { text, isError } = await server.call('run', { command: 'echo out; echo err >&2; exit 3' })
    expect([text, isError]).toEqual(['exit code 3\nout\nstderr:\nerr', false])
  })

  it('names no command that only a person can run as something to do', async () => {
    await using server = await open()
    const { text } = await server.call('undo', {})
    expect(text).toContain('Have a person run toolwright log, which shows what was done here')
  })

  it('is an error as one line, and what to do', async () => {
    await using server = await open()
    const { text, isError } = await server.call('read', { path: 'absent' })
    expect([text, isError]).toEqual([
      "not_found: 'absent' does not exist\nList the directory to see what is there.",
      true,
    ])
  })

  it.each(['read', 'grep'])('is a hint that fits a reference that %s does not know', async tool => {
    await using server = await open()
    const input = (path: string) => ({ path, ...(tool === 'grep' && { pattern: 'x' }) })
    const told = async (path: string) => (await server.call(tool, input(path))).text
    expect(await told('ref:abc')).toBe(
      "not_found: 'ref:abc' does not exist\nA reference is ref: and at least 16 hexadecimal digits. Copy it from the end of the cut answer, or make that call again for a new one.",
    )
    expect(await told(`ref:${'0'.repeat(16)}`)).toMatch(/^not_found: Nothing is stored under .*\n.*run its call again$/)
  })

  it('is an error that names what was sent, but not at any length', async () => {
    for (const client of [CLAUDE_CODE, { name: 'another-client', version: '1.0.0' }]) {
      await using server = await open(client)
      const many = { items: Array.from({ length: 1_000 }, () => ({ ['k'.repeat(1_000)]: 1 })) }
      for (const [tool, input] of [
        ['read', { ['k'.repeat(60_000)]: 1 }],
        ['plan', many],
      ] as const) {
        const { text, structured } = await server.call(tool, input)
        expect(text).toMatch(/^invalid_input: .*k{100}.* … \d+ more characters .*\nParameters of /)
        expect(text.length).toBeLessThan(5_000)
        expect(JSON.stringify(structured ?? {}).length).toBeLessThan(45_000)
      }
    }
  })

  it.each([
    [[{ old: 'two', new: '2' }], 'edit (applied 1, at line 2, bytes 12), n.txt,'],
    [[{ old: 'two', new: '2\n2' }], 'edit (applied 1, at lines 2-3, bytes 14), n.txt,'],
    [[{ old: 'one\ntwo\nthree', new: '1\n2' }], 'edit (applied 1, at lines 1-2, bytes 4), n.txt,'],
    [
      [
        { old: 'one', new: '1' },
        { old: 'three', new: '3' },
      ],
      'edit (applied 2, at lines 1, 3, bytes 8), n.txt,',
    ],
  ])('says where it replaced, and never as a count: %j', async (edits, said) => {
    workspace.write('n.txt', 'one\ntwo\nthree\n')
    await using server = await open()
    await server.call('read', { path: 'n.txt' })
    const { text } = await server.call('edit', { path: 'n.txt', edits })
    expect(text.slice(0, said.length)).toBe(said)
  })

  it('says of a patch that was only checked that it applies', async () => {
    workspace.write('p.ts', 'one\n')
    await using server = await open()
    const { text } = await server.call('patch', {
      diff: '--- a/p.ts\n+++ b/p.ts\n@@ -1 +1 @@\n-one\n+two\n',
      check: true,
    })
    expect(text).toMatch(/^patch \(it applies, nothing is changed, 1 file\)\n/)
  })

  it('is a table whose cells a tab separates, empty ones too', async () => {
    workspace.write('p.ts', 'one\n')
    await using server = await open()
    const diff = '*** Begin Patch\n*** Delete File: p.ts\n*** Add File: q.ts\n+two\n*** End Patch\n'
    const { text } = await server.call('patch', { diff, check: true })
    expect(text.split('\n').slice(1)).toEqual([
      'path\tkind\thunks\tadded\tremoved\toffsets\tfuzz',
      'p.ts\tdelete\t0\t0\t0',
      'q.ts\tcreate\t1\t1\t0\t0\t0',
    ])
  })

  it('names the symbol around a range', async () => {
    workspace.write('s.ts', 'export function inner() {\n  return 1\n}\n')
    await using server = await open()
    await server.call('index', { by: 'all' })
    await expect
      .poll(async () => (await server.call('read', { path: 's.ts', from: 2, to: 2 })).text, { timeout: 20_000 })
      .toMatch(/^s\.ts \(lines 2-2 of 3, \d+ bytes, utf-8, lf, in inner, hash \w+\)\n/)
  })

  it('is found by a glob that gives the whole path', async () => {
    workspace.write('src/b.ts', 'x\n')
    await using server = await open()
    const { text } = await server.call('find', { glob: `${workspace.path}/**/*.ts` })
    expect(text.split('\n')).toEqual(['find (2 files)', 'a.ts', 'src/b.ts'])
    const found = await server.call('grep', { pattern: 'x', globs: [`${workspace.path}/src/*.ts`] })
    expect(found.text).toContain('\nsrc/b.ts\n1: x')
  })

  it('says of a background command how much there is to read', async () => {
    execFileSync('git', ['init', '-q'], { cwd: workspace.path })
    await using server = await connectTo(await createMcpServer(await workspace.open({ permissions: ['exec'] })), {
      async elicit() {
        await pause(200)
        return { action: 'accept', content: { answer: 'yes' } }
      },
    })
    const { text } = await server.call('run', { command: 'echo hi; sleep 30', background: true })
    expect(text).toMatch(/^handle \w+, running, output until offset \d+$/)
    const handle = /\w{16}/.exec(text)?.[0]
    await expect.poll(async () => (await server.call('run', { handle })).text).toContain('output until offset 3')
    expect((await server.call('run', { handle, action: 'read' })).text).toMatch(/output until offset 3\nhi$/)
    await server.call('run', { handle, action: 'stop' })
  })

  it('says of what is staged that these are files', async () => {
    await using server = await open()
    await server.call('stage', { action: 'begin' })
    await server.call('write', { path: 'b.ts', content: 'x', expect: 'absent' })
    expect((await server.call('stage', { action: 'diff' })).text).toMatch(
      /^stage diff \(transaction \w+, 1 staged file\)\n/,
    )
    const stage = async (path: string, content: string) => server.call('write', { path, content, expect: 'absent' })
    await stage('long.txt', 'x\n'.repeat(60_000))
    const title = async () => (await server.call('stage', { action: 'diff' })).text.split('\n', 1)[0]
    expect(await title()).toMatch(/^stage diff \(transaction \w+, 2 staged files\)$/)
    for (let at = 0; at < 110; at++) await stage(`n/${at}.txt`, 'x\n')
    expect(await title()).toMatch(/^stage diff \(transaction \w+, total 11\d, the first 100 staged files\)$/)
  })

  it('counts all that an edit replaced, also where their list is cut', async () => {
    workspace.write('many.txt', 'word\n'.repeat(20_000))
    await using server = await open()
    await server.call('read', { path: 'many.txt' })
    const { text } = await server.call('edit', { path: 'many.txt', edits: [{ old: 'word', new: 'sign', all: true }] })
    expect(text).toMatch(/^edit \(applied 20000, bytes 100000\)/)
    expect(text).toMatch(/ 99, 100 and 19900 more$/m)
    expect(text.length).toBeLessThan(2_000)
  })

  it.each([
    ['seq 1 3', 'what it printed is below, and its changes were discarded\nexit code \\d+\n1\n2\n3$'],
    ['true', 'it printed nothing, and its changes were discarded$'],
  ])('says of a command that took too long where its output is: %s', async (command, words) => {
    await using server = await open()
    const { text } = await server.call('run', { command: `${command}; sleep 30`, timeoutMs: 800 })
    expect(text).toMatch(new RegExp(words))
  })

  it.each([
    ['edit', { path: 'a.ts', edits: [{ old: 'three\n'.repeat(400), new: 'x' }] }],
    ['edit', { path: 'a.ts', edits: [{ old: 'o', new: 'x' }] }],
    ['edit', { path: 'a.ts', edits: [{ old: 'one', new: 'x' }], expect: '0'.repeat(64) }],
    ['patch', { patch: '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-nothing like it\n+x\n y\n' }],
    ['undo', { id: 'zzz' }],
    ['read', { path: 'a.ts', from: 7 }],
    ['grep', { pattern: '(', regex: true }],
  ])('is an error of %s as two lines without JSON', async (tool, input) => {
    await using server = await open()
    await server.call('read', { path: 'a.ts' })
    await server.call('write', { path: 'b.ts', content: 'x', expect: 'absent' })
    const { text, isError } = await server.call(tool, input)
    expect(isError).toBe(true)
    expect(text.split('\n')).toHaveLength(2)
    expect(text.length).toBeLessThan(500)
    expect(text).not.toContain('{"')
  })

  it('is a refusal as two lines', async () => {
    const kit = await workspace.open()
    await using server = await connectTo(await createMcpServer(kit), {
      ...CLAUDE_CODE,
      elicit: () => ({ action: 'accept', content: { answer: 'no' } }),
    })
    const { text } = await server.call('delete', { path: 'a.ts' })
    expect(text).toMatch(/^rejected: .*\nA person said no\. .*$/)
  })

  it('has below an error what a command printed before it', async () => {
    await using server = await open()
    const { text } = await server.call('run', { command: 'seq 1 30000; echo last; sleep 30', timeoutMs: 1500 })
    expect(text).toMatch(
      /^timeout: .*\n.*\nexit code \d+\n1\n2\n[^]*\n… \d+ more characters; all of it is in ref:[0-9a-f]+\n[^]*\nlast$/,
    )
    expect(text.length).toBeLessThanOrEqual(45_000)
  })

  it('names what a change changed, and its undo', async () => {
    await using server = await open()
    await server.call('read', { path: 'a.ts' })
    const { text } = await server.call('edit', { path: 'a.ts', edits: [{ old: 'one', new: 'two' }] })
    expect(text).toMatch(/\nChanged: a\.ts \(undo 0\w+\)$/)
    expect(text).not.toContain('two')
  })
})

describe('structured content', () => {
  it.each([
    ['claude-code 2.1.325', undefined, false],
    ['claude-code 1.0.0', undefined, true],
    ['codex-mcp-client 0.166.0', undefined, false],
    ['another-client 1.0.0', undefined, true],
    ['claude-code 2.1.325', 'always', true],
    ['another-client 1.0.0', 'never', false],
  ] as const)('for %s with --structured %s: %s, and the schema of it likewise', async (client, structured, isSent) => {
    const [name = '', version = ''] = client.split(' ')
    await using server = await open({ name, version }, structured)
    const { tools } = await server.client.listTools()
    expect(tools.every(({ outputSchema }) => (outputSchema !== undefined) === isSent)).toBe(true)
    const answered = await server.call('read', { path: 'a.ts' })
    expect(answered.structured !== undefined).toBe(isSent)
    expect(answered.text).toContain('1\texport const one = 1')
  })
})

describe('the list of tools', () => {
  const CORE = ['read', 'write', 'edit', 'patch', 'list', 'find', 'grep', 'run', 'undo']
  const sizeOf = (tools: readonly object[]): number => JSON.stringify({ tools }).length

  it('takes Claude Code at most 15,800 characters, and the core of it 6,000', async () => {
    await using server = await open()
    const { tools } = await server.client.listTools()
    expect(tools).toHaveLength(26)
    // The limit is 16,000; the rest is room for what is still to be said.
    expect(sizeOf(tools)).toBeLessThanOrEqual(15_800)
    expect(JSON.stringify(tools.find(({ name }) => name === 'docs')).length).toBeLessThanOrEqual(500)
    expect(sizeOf(tools.filter(({ name }) => CORE.includes(name)))).toBeLessThanOrEqual(6_000)
  })

  it('explains every parameter: by itself, in what the tool says, or once for all tools', async () => {
    await using server = await open()
    const instructions = server.client.getInstructions() ?? ''
    const { tools } = await server.client.listTools()
    for (const { name, description = '', inputSchema } of tools)
      for (const [parameter, schema] of Object.entries(inputSchema.properties ?? {})) {
        const { description: own, enum: values }: { description?: string; enum?: string[] } = Object(schema)
        const isNamed = (word: string): boolean => `${description}\n${instructions}`.includes(`\`${word}`)
        const isExplained = own !== undefined || isNamed(parameter) || values?.every(isNamed)
        expect([name, parameter, isExplained]).toEqual([name, parameter, true])
      }
  })

  it.each([
    [false, undefined],
    [false, 'core'],
    [true, undefined],
    [true, 'core'],
  ] as const)('has instructions for its own tools and parameters, read-only %s, tools %s', async (readOnly, set) => {
    await using whole = await open()
    const all = new Set((await whole.client.listTools()).tools.map(({ name }) => name))
    const kit = await workspace.open({ readOnly })
    const options = { ...(set && { tools: set }) }
    await using server = await connectTo(await createMcpServer(kit, options), { name: 'claude-code' })
    const { tools } = await server.client.listTools()
    const names = new Set(tools.map(({ name }) => name))
    const parameters = new Set(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {})))
    const told = server.client.getInstructions() ?? ''
    const explained = [...told.matchAll(/^- `(\w+)`:/gm)].map(([, name = '']) => name)
    const mentioned = [...told.matchAll(/(?<!^- )`(\w+)`/gm)].map(([, word = '']) => word)
    expect(explained.filter(name => !parameters.has(name))).toEqual([])
    expect(mentioned.filter(word => all.has(word) && !names.has(word))).toEqual([])
    expect(explained.includes('waitMs')).toBe(parameters.has('waitMs'))
    expect(explained.includes('effects')).toBe(parameters.has('effects'))
    expect(explained.includes('expect')).toBe(parameters.has('expect'))
  })

  it('has the same instructions where the workspace is not known yet', async () => {
    await using known = await connect(workspace, { args: ['--read-only'], protocol: '2025-11-25' })
    await using asked = await connect(workspace, {
      args: ['--read-only'],
      protocol: '2025-11-25',
      roots: () => [pathToFileURL(workspace.path).href],
    })
    const shared = ({ client }: Connection) => client.getInstructions()?.split('\n').slice(1)
    expect(shared(asked)).toEqual(shared(known))
    expect(shared(asked)?.join()).not.toMatch(/refactor|`expect`/)
  })

  it('has instructions that Claude Code does not cut', async () => {
    await using server = await open()
    expect(server.client.getInstructions()?.length).toBeLessThanOrEqual(2_048)
  })

  it.each(['never', 'always'] as const)('has no keyword that a provider refuses, structured %s', async structured => {
    await using server = await open(CLAUDE_CODE, structured)
    const { tools } = await server.client.listTools()
    expect(JSON.stringify(tools)).not.toMatch(/"(exclusiveMinimum|exclusiveMaximum|propertyNames|minimum)":/)
  })

  it('is that of a set, which is all that can be called', async () => {
    await using server = await connect(workspace, { args: ['--tools', 'core'], ...CLAUDE_CODE })
    const { tools } = await server.client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(CORE.toSorted())
    expect(sizeOf(tools)).toBeLessThanOrEqual(6_000)
    expect((await server.call('read', { path: 'a.ts' })).isError).toBe(false)
    await expect(server.call('delete', { path: 'a.ts' })).rejects.toThrow("There is no tool 'delete' here")
  })

  it('has the whole of another contract beside a set', async () => {
    const kit = await workspace.open()
    await using server = await connectTo(
      await createMcpServer(kit, { contracts: ['toolwright', 'sage'], tools: 'core' }),
    )
    const names = (await server.client.listTools()).tools.map(({ name }) => name)
    expect(names.filter(name => name.startsWith('toolwright_'))).toHaveLength(CORE.length)
    expect(names).toContain('sage_Read')
  })
})
