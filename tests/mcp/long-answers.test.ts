// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createMcpServer } from '../../src/surfaces/mcp/create-mcp-server.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { connectTo, type Connection } from './connect.ts'

const it = needs('bubblewrap')

/** Claude Code replaces an answer above 49,000 characters by a preview; Codex cuts one above 48,000. */
const MOST = 45_000
/** What an answer that is cut has at least: all that there is room for, but for what is known of the call. */
const LEAST = 40_000

const LONG = Array.from({ length: 20_000 }, (_, at) => `line "${at}" of many\n`).join('')

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({})
})
afterEach(() => workspace.remove())

const open = async (name = 'claude-code'): Promise<Connection> =>
  connectTo(await createMcpServer(await workspace.open({ permissions: ['fs:write', 'exec'] })), {
    name,
    version: '2.1.325',
  })

function expectCut(text: string): void {
  expect(text.length).toBeLessThanOrEqual(MOST)
  expect(text.length).toBeGreaterThan(LEAST)
}

/** All of a file, read page by page as each page says. */
async function readAll(server: Connection, path: string): Promise<readonly string[]> {
  const pages: string[] = []
  let next: object | undefined = {}
  while (next) {
    const { text } = await server.call('read', { path, ...next })
    pages.push(text)
    const more: string | undefined = /\nMore: the same call of read with (\{.*\})$/.exec(text)?.[1]
    next = more === undefined ? undefined : JSON.parse(more)
  }
  return pages
}

const linesOf = (page: string): string =>
  page
    .split('\n')
    .slice(1)
    .map(line => (/^\d+\t/.test(line) ? `${line.slice(line.indexOf('\t') + 1)}\n` : ''))
    .join('')

describe('a long answer of read', () => {
  it.each([
    ['source', LONG],
    ['quotes', `${'"'.repeat(70)}\n`.repeat(2_000)],
    ['Chinese', `${'漢'.repeat(40)}\n`.repeat(3_000)],
    ['empty lines', '\n'.repeat(30_000)],
  ])('is cut at whole lines and goes on exactly there: %s', async (_, content) => {
    workspace.write('long.txt', content)
    await using server = await open()
    const pages = await readAll(server, 'long.txt')
    for (const page of pages.slice(0, -1)) expectCut(page)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.map(linesOf).join('')).toBe(content)
  })

  it('is the only one of a file that just fits', async () => {
    workspace.write('long.txt', 'x\n'.repeat(5_000))
    await using server = await open()
    expect(await readAll(server, 'long.txt')).toHaveLength(1)
  })

  it.each([
    ['x', 'x'.repeat(200_000)],
    ['漢', '漢'.repeat(100_000)],
  ])('goes on within a line of %s', async (_, content) => {
    workspace.write('line.txt', content)
    await using server = await open()
    const pages = await readAll(server, 'line.txt')
    for (const page of pages.slice(0, -1)) expectCut(page)
    expect(pages.map(linesOf).join('').replaceAll('\n', '')).toBe(content)
  })
})

describe('a long answer of run', () => {
  it('keeps its beginning and its end', async () => {
    workspace.write('long.txt', LONG)
    await using server = await open()
    const { text } = await server.call('run', { command: 'cat long.txt; echo 12 passed' })
    expectCut(text)
    expect(text).toContain('line "0" of many')
    expect(text).toMatch(/more bytes in ref:\w+\n[^]*12 passed\n/)
  })

  it.each([42_500, 46_000, 60_000])('has all that there is room for: %i characters', async size => {
    await using server = await open()
    const { text } = await server.call('run', { command: `yes 123456789 | head -c ${size}` })
    expectCut(text)
  })

  it('names the first of very many changed files, and counts the others', async () => {
    const many = 500
    await using server = await open()
    const name = 'n'.repeat(200)
    const command = `for i in $(seq 1 ${many}); do echo x > f$i-${name}; done; head -c 44000 /dev/zero | tr '\\0' x`
    const { text } = await server.call('run', { command })
    expectCut(text)
    const [, shown = '', left] = /\nChanged: (.*) and (\d+) more \(undo \w+\)/.exec(text) ?? []
    expect(shown.split(', ').length + Number(left)).toBe(many)
    expect(shown).toContain(`f1-${name}`)
  })

  it('keeps both streams as one text that is read by lines', async () => {
    await using server = await open()
    const { text } = await server.call('run', { command: 'seq 1 30000 1>&2; seq 1 30000' })
    expectCut(text)
    const ref = /read \{"path":"(ref:\w+)"\}/.exec(text)?.[1] ?? ''
    const numbers = Array.from({ length: 30_000 }, (_, at) => `${at + 1}\n`).join('')
    expect((await readAll(server, ref)).map(linesOf).join('')).toBe(`stdout:\n${numbers}stderr:\n${numbers}`)
  })

  it('SG-17: leaves nothing out of what is stored, however much was printed', async () => {
    await using server = await open()
    const { text } = await server.call('run', { command: 'seq 1 3000000' })
    expectCut(text)
    const [, shown = '', left, ref, end = ''] =
      /exit code 0.*\n([^]*\n)… (\d+) more bytes in (ref:\w+)\n([^]*?)\nWarning: /.exec(text) ?? []
    expect(shown + end).toMatch(/^1\n2\n[^]*3000000$/)
    expect(Number(left)).toBe(22_888_896 - shown.length - end.length - 1)
    expect(text).toContain(`\nThe whole answer (22888896 bytes): read {"path":"${ref}"}`)
    const { text: middle } = await server.call('read', { path: ref, from: 1_500_000, to: 1_500_001 })
    expect(linesOf(middle)).toBe('1500000\n1500001\n')
  })

  it.each([
    ['ran out of time', { command: 'seq 1 20000; sleep 60', timeoutMs: 2_000 }],
    ['left what cannot land', { command: 'seq 1 20000; mkfifo pipe' }],
  ])('SG-17: names the reference to all that a command printed that %s', async (_, input) => {
    await using server = await open()
    const { text } = await server.call('run', input)
    const [, left, ref] = /\n… (\d+) more characters; all of it is in (ref:\w+)\n/.exec(text) ?? []
    expect(Number(left)).toBeGreaterThan(50_000)
    expect((await readAll(server, ref ?? '')).map(linesOf).join('')).toBe(
      Array.from({ length: 20_000 }, (_line, at) => `${at + 1}\n`).join(''),
    )
  })

  it('SG-17: has no sequences of a terminal, whose bytes are stored', async () => {
    await using server = await open()
    const printed = String.raw`printf '\033[31mred\033[0m \033]8;;https://example.com\033\\name\033]8;;\033\\ a\000b\n'`
    for (const command of [printed, `${printed} >&2`, `${printed}; exit 1`, `${printed}; mkfifo pipe`]) {
      const { text } = await server.call('run', { command })
      expect(text).toMatch(/(?:^|\n)red name a␀b(?:\n|$)/)
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\0\u001b]/)
      expect(text).toMatch(/Standard (?:output|error) is shown as plain text; its bytes are in ref:\w+/)
    }
  })
})

describe('a long answer of', () => {
  it('grep has whole lines, and says how to go on', async () => {
    const line = (at: number): string => `needle ${at} ${'word '.repeat(60)}`
    workspace.write('g/a.txt', Array.from({ length: 800 }, (_, at) => `${line(at)}\n`).join(''))
    await using server = await open()
    const seen: string[] = []
    let skip: number | undefined = 0
    while (skip !== undefined) {
      const { text } = await server.call('grep', { pattern: 'needle', path: 'g', limit: 500, skip })
      const own = text.split('\n').filter(each => /^\d+: /.test(each))
      seen.push(...own)
      const next: string | undefined = /\{"skip":(\d+)\}/.exec(text)?.[1]
      if (next !== undefined) expectCut(text)
      skip = next === undefined ? undefined : Number(next)
    }
    expect(seen).toEqual(Array.from({ length: 800 }, (_, at) => `${at + 1}: ${line(at)}`))
  })

  it('grep uses all of its room where the lines around matches overlap', async () => {
    workspace.write('a.txt', Array.from({ length: 2_000 }, (_, at) => `line ${at} ${'word '.repeat(12)}\n`).join(''))
    await using server = await open()
    const { text } = await server.call('grep', { pattern: 'line', path: 'a.txt', before: 8, after: 8, limit: 1000 })
    expectCut(text)
    expect(text).toMatch(/\nMore: the same call of grep with \{"skip":\d+\}$/)
  })

  it.each([
    ['list', { depth: 10, limit: 5000 }],
    ['find', { glob: 'many/*', limit: 5000 }],
    ['grep', { pattern: 'x', path: 'many', only: 'files', limit: 2000 }],
  ])('%s is as long as there is room for', async (tool, input) => {
    for (let at = 0; at < 3000; at++) workspace.write(`many/${'f'.repeat(30)}-${at}.txt`, 'x\n')
    await using server = await open()
    const { text } = await server.call(tool, input)
    expectCut(text)
    expect(text).toMatch(/\nMore: the same call of \w+ with \{"skip":\d+\}/)
  })

  it('stage has as much of the diff as there is room for', async () => {
    await using server = await open()
    await server.call('stage', { action: 'begin' })
    await server.call('write', { path: 'new.txt', content: LONG.slice(0, 113_000), expect: 'absent' })
    const { text } = await server.call('stage', { action: 'diff' })
    expectCut(text)
    expect(text).toContain('+line "0" of many')
  })

  it.each(['list', 'find'])('%s is no longer as structured content', async tool => {
    for (let at = 0; at < 3000; at++) workspace.write(`many/${'f'.repeat(30)}-${at}.txt`, 'x\n')
    await using server = await open('another-client')
    const { text, structured } = await server.call(tool, {
      ...(tool === 'list' ? { depth: 10 } : { glob: '**' }),
      limit: 5000,
    })
    expect(text.length).toBeLessThanOrEqual(MOST)
    expectCut(JSON.stringify(structured))
  })
})
