// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createMcpServer } from '../../src/surfaces/mcp/create-mcp-server.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { connect, connectTo, type Connection } from './connect.ts'

const it = needs('bubblewrap')

/** Claude Code replaces an answer above 49,000 characters by a preview; Codex cuts one above 48,000. */
const MOST = 45_000

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.ts': 'export const one = 1\n\tconst two = "2"  \n' })
})
afterEach(() => workspace.remove())

const open = async (name = 'claude-code', structured?: 'never' | 'auto' | 'always'): Promise<Connection> => {
  const kit = await workspace.open({ permissions: ['fs:write', 'exec'] })
  return connectTo(await createMcpServer(kit, structured && { structured }), { name })
}

describe('what a model reads', () => {
  it('is source with its line numbers, to the last blank', async () => {
    await using server = await open()
    const { text } = await server.call('read', { path: 'a.ts' })
    expect(text).toMatch(
      /^a\.ts \(lines 1-2 of 2, .*hash [0-9a-f]{64}\)\n1\texport const one = 1\n2\t\tconst two = "2" {2}$/,
    )
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

  it('is an error as one line, and what to do', async () => {
    await using server = await open()
    const { text, isError } = await server.call('read', { path: 'absent' })
    expect([text, isError]).toEqual([
      "not_found: 'absent' does not exist\nList the directory to see what is there.",
      true,
    ])
  })

  it('names what a change changed, and its undo', async () => {
    await using server = await open()
    await server.call('read', { path: 'a.ts' })
    const { text } = await server.call('edit', { path: 'a.ts', edits: [{ old: 'one', new: 'two' }] })
    expect(text).toMatch(/\nChanged: a\.ts \(undo 0\w+\)$/)
    expect(text).not.toContain('two')
  })
})

describe('a long answer', () => {
  const LONG = Array.from({ length: 20_000 }, (_, at) => `line "${at}" of many\n`).join('')

  it('of read is cut at whole lines, and goes on exactly there', async () => {
    workspace.write('long.txt', LONG)
    await using server = await open()
    let [read, from] = ['', 1]
    while (from > 0) {
      const { text } = await server.call('read', { path: 'long.txt', from })
      expect(text.length).toBeLessThanOrEqual(MOST)
      for (const line of text.split('\n').slice(1)) read += line.includes('\t') ? `${line.split('\t')[1]}\n` : ''
      from = Number(/More: the same call of read with \{"from":(\d+)\}/.exec(text)?.[1] ?? 0)
    }
    expect(read).toBe(LONG)
  })

  it('of one line goes on within the line', async () => {
    workspace.write('line.txt', 'x'.repeat(200_000))
    await using server = await open()
    const { text } = await server.call('read', { path: 'line.txt' })
    expect(text.length).toBeLessThanOrEqual(MOST)
    expect(text).toMatch(/More: the same call of read with \{"from":1,"skip":\d+\}/)
  })

  it('of a command keeps its beginning and its end', async () => {
    workspace.write('long.txt', LONG)
    await using server = await open()
    const { text } = await server.call('run', { command: 'cat long.txt; echo 12 passed' })
    expect(text.length).toBeLessThanOrEqual(MOST)
    expect(text).toContain('line "0" of many')
    expect(text).toMatch(/more bytes in ref:\w+\n[^]*12 passed\n/)
  })

  it.each([
    ['grep', { pattern: 'line', limit: 2000 }],
    ['list', { path: 'many', limit: 5000 }],
    ['find', { glob: 'many/*', limit: 5000 }],
  ])('of %s says how to go on', async (tool, input) => {
    workspace.write('long.txt', LONG.replaceAll('many', 'm'.repeat(40)))
    for (let at = 0; at < 3000; at++) workspace.write(`many/${'f'.repeat(30)}-${at}.txt`, 'x\n')
    await using server = await open()
    const { text } = await server.call(tool, input)
    expect(text.length).toBeLessThanOrEqual(MOST)
    expect(text).toMatch(/\nMore: the same call of \w+ with \{"skip":\d+\}/)
  })
})

describe('structured content', () => {
  it.each([
    ['claude-code', undefined, false],
    ['codex-mcp-client', undefined, false],
    ['another-client', undefined, true],
    ['claude-code', 'always', true],
    ['another-client', 'never', false],
  ] as const)('for %s with --structured %s: %s, and the schema of it likewise', async (name, structured, isSent) => {
    await using server = await open(name, structured)
    const { tools } = await server.client.listTools()
    expect(tools.every(({ outputSchema }) => (outputSchema !== undefined) === isSent)).toBe(true)
    const answered = await server.call('read', { path: 'a.ts' })
    expect(answered.structured !== undefined).toBe(isSent)
    expect(answered.text).toContain('1\texport const one = 1')
  })
})

describe('the list of tools', () => {
  const CORE = ['read', 'write', 'edit', 'patch', 'list', 'find', 'grep', 'run', 'undo']
  const sizeOf = (tools: readonly object[]): number => JSON.stringify(tools).length

  it('takes Claude Code at most 16,000 characters, and the core of it 6,000', async () => {
    await using server = await open()
    const { tools } = await server.client.listTools()
    expect(tools).toHaveLength(23)
    expect(sizeOf(tools)).toBeLessThanOrEqual(16_000)
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

  it('has instructions that Claude Code does not cut', async () => {
    await using server = await open()
    expect(server.client.getInstructions()?.length).toBeLessThanOrEqual(2_048)
  })

  it.each(['never', 'always'] as const)('has no keyword that a provider refuses, structured %s', async structured => {
    await using server = await open('claude-code', structured)
    const { tools } = await server.client.listTools()
    expect(JSON.stringify(tools)).not.toMatch(/"(exclusiveMinimum|exclusiveMaximum|propertyNames|minimum)":/)
  })

  it('is that of a profile, which is all that can be called', async () => {
    await using server = await connect(workspace, { args: ['--profile', 'core'], name: 'claude-code' })
    const { tools } = await server.client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(CORE.toSorted())
    expect(sizeOf(tools)).toBeLessThanOrEqual(6_000)
    expect((await server.call('read', { path: 'a.ts' })).isError).toBe(false)
    await expect(server.call('delete', { path: 'a.ts' })).rejects.toThrow("There is no tool 'delete' here")
  })

  it('has the whole of another contract beside a profile', async () => {
    const kit = await workspace.open()
    await using server = await connectTo(
      await createMcpServer(kit, { contracts: ['toolwright', 'sage'], profile: 'core' }),
    )
    const names = (await server.client.listTools()).tools.map(({ name }) => name)
    expect(names.filter(name => name.startsWith('toolwright_'))).toHaveLength(CORE.length)
    expect(names).toContain('sage_Read')
  })
})
