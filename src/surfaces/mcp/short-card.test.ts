import { beforeAll, describe, expect, it } from 'vitest'
import { loadCommandParser } from '../../guards/policy/command-parser.ts'
import { decide } from '../../guards/policy/decide.ts'
import { makePolicy } from '../../guards/policy/policy.ts'
import type { Change } from '../../kernel/change.ts'
import { execs } from '../../kernel/claim.ts'
import { unifiedDiff } from '../../machine/workspace/diff/diff.ts'
import type { Card } from '../../runtime/questions.ts'
import { rawCharacter } from '../../../tests/security/raw-characters.ts'
import { shortCard } from './short-card.ts'

const card = (more: Partial<Card>): Card => ({
  tool: 'toolwright/edit',
  input: {},
  claims: [{ action: 'write', resource: 'conf/settings.py' }],
  changes: [],
  risk: 'dangerous',
  why: 'the default for write is ask',
  ...more,
})

const change = (path: string, diff: string): Change => ({ kind: 'change', path, diff: () => diff }) as Change

const side = (text: string | undefined) => (text === undefined ? undefined : { bytes: Buffer.from(text), mode: 0o644 })

beforeAll(loadCommandParser)

describe('shortCard', () => {
  it('shows in three lines what changes, the old line and the new one', () => {
    const diff = '--- a/conf/settings.py\n+++ b/conf/settings.py\n@@ -1 +1 @@\n-DEBUG = True\n+DEBUG = False\n'
    const { message, details: whole } = shortCard(card({ changes: [change('conf/settings.py', diff)] }))
    expect(message.split('\n').slice(0, 3)).toEqual([
      'edit conf/settings.py (+1 −1)',
      '-DEBUG = True',
      '+DEBUG = False',
    ])
    expect(message.split('\n')[3]).toBe('Could happen: changes conf/settings.py · Why: the default for write is ask')
    expect(message.split('\n')).toHaveLength(4)
    expect(whole).toContain('-DEBUG = True')
    expect(whole).not.toContain('\n')
  })

  it('shows a command itself once, and what could happen on a line of its own', () => {
    const command = `npm test && echo ${'a'.repeat(400)}`
    const claims = [{ action: 'exec' as const, resource: command }]
    const { why } = decide(makePolicy(), claims)
    const asked = { tool: 'toolwright/run', input: { command }, claims, why, proposal: 'run npm test' }
    const { message, details, isPlain } = shortCard(card(asked))
    // A terminal cuts the first line.
    expect([details, isPlain]).toEqual([`command: ${command}`, false])
    expect(message.split('\n')).toEqual([
      `run ${command}`,
      'Could happen: runs code, which may change files of the workspace',
      expect.stringMatching(/^Why: 'npm test': no rule, and the default for exec is ask/),
      'Always means: run npm test',
    ])
  })

  it('needs nothing besides the line of a short command', () => {
    const claims = execs('npm test')
    const { message, details, isPlain } = shortCard(
      card({ tool: 'toolwright/run', input: { command: 'npm test' }, claims }),
    )
    expect([message.split('\n')[0], details, isPlain]).toEqual(['run npm test', undefined, true])
  })

  it.each([
    ['one line of input', { stdin: 'rm -rf src\n' }, 'Input: rm -rf src', true],
    ['many lines of input', { stdin: '\necho hi\nrm -rf src\n' }, 'Input (2 lines): echo hi', false],
    ['a long line of input', { stdin: `echo ${'a'.repeat(200)}; rm -rf src` }, /^Input: echo aaa/, false],
    ['nothing but blanks', { stdin: '\n' }, 'Input: blank', true],
    [
      'input for a running command',
      { handle: 'c1', action: 'write', input: 'rm -rf src\n' },
      'Input: rm -rf src',
      true,
    ],
  ])('shows what a command reads: %s', (_what, given, line, plain) => {
    const claims = execs('bash', undefined, 'input' in given ? 'added' : 'given')
    const input = 'input' in given ? given : { command: 'bash', ...given }
    const { message, details, isPlain } = shortCard(card({ tool: 'toolwright/run', input, claims }))
    const lines = message.split('\n')
    expect([lines[0], lines[2], lines.length]).toEqual(['run bash', expect.stringMatching(/^Could happen: /), 4])
    expect(lines[1]).toEqual(typeof line === 'string' ? line : expect.stringMatching(line))
    for (const value of Object.values(given)) expect(details).toContain(value.replaceAll('\n', String.raw`\n`))
    expect(isPlain).toBe(plain)
  })

  it('shows where a command runs', () => {
    const claims = execs('npm test', 'packages/a')
    const input = { command: 'npm test', cwd: 'packages/a' }
    const { message, details } = shortCard(card({ tool: 'toolwright/run', input, claims }))
    expect(message).toMatch(/^run in packages\/a: npm test\n/)
    expect(details).toBe('command: npm test; cwd: packages/a')
  })

  it('names the file and not the directories made for it', () => {
    const made = ['deep', 'deep/new'].map(path => ({ kind: 'mkdir', path, diff: () => '' }) as Change)
    const diff = unifiedDiff({ path: 'deep/new/a.txt', before: undefined, after: side('hello\n') })
    const named = (changes: readonly Change[]) => shortCard(card({ changes })).message.split('\n')[0]
    expect(named([...made, change('deep/new/a.txt', diff)])).toBe('edit deep/new/a.txt (+1 −0)')
    expect(named(made)).toBe('edit deep and 1 more')
  })

  it('pairs no line of one file with one of another', () => {
    const removes = unifiedDiff({ path: 'a.txt', before: side('one\ntwo\n'), after: side('two\n') })
    const adds = unifiedDiff({ path: 'b.txt', before: side('x\n'), after: side('x\ny\n') })
    const { message } = shortCard(card({ changes: [change('a.txt', removes), change('b.txt', adds)] }))
    expect(message.split('\n').slice(0, 3)).toEqual([
      'edit a.txt and 1 more (+1 −1)',
      '-one',
      expect.stringMatching(/^Could happen: /),
    ])
  })

  it.each([
    [
      'changes comments that look like headers',
      '-- drop it\nselect 1;\n',
      '-- keep it\nselect 1;\n',
      ['edit a.txt (+1 −1)', '--- drop it', '+-- keep it'],
    ],
    ['adds what looks like headers', 'one\ntwo\n', '-- one\n++ two\n', ['edit a.txt (+2 −2)', '-one', '+-- one']],
    ['begins with a blank line', undefined, '\n\nhello\n', ['edit a.txt (+3 −0)', '+hello']],
    ['is blank', undefined, '\n', ['edit a.txt (+1 −0)', '+']],
    ['appends after a last line without a line break', 'a\nb', 'a\nb\nc\n', ['edit a.txt (+1 −0)', '+c']],
    ['adds the last line break', 'b', 'b\n', ['edit a.txt (+1 −1)', '-b', '+b (now with a line break)']],
    ['removes the last line break', 'b\n', 'b', ['edit a.txt (+1 −1)', '-b', '+b (now without a line break)']],
    ['changes a last line without a line break', 'b', 'c', ['edit a.txt (+1 −1)', '-b', '+c']],
  ])('shows and counts a change that %s', (_what, before, after, shown) => {
    const diff = unifiedDiff({ path: 'a.txt', before: side(before), after: side(after) })
    const { message } = shortCard(card({ changes: [change('a.txt', diff)] }))
    expect(message.split('\n').slice(0, shown.length)).toEqual(shown)
    expect(message.split('\n')[shown.length]).toMatch(/^Could happen: /)
  })

  it('counts the lines of every file, and takes no header for one', () => {
    const changes = ['a.sql', 'b.sql'].map(path =>
      change(path, unifiedDiff({ path, before: side('-- a\n'), after: side('-- b\n') })),
    )
    expect(shortCard(card({ changes })).message).toMatch(/^edit a\.sql and 1 more \(\+2 −2\)\n--- a\n\+-- b\n/)
  })

  it.each([
    ['marks the end of its lines as Windows does', 'a\r\nb\r\n', 'a\r\nc\r\n', ['-b', '+c']],
    ['changes only the end of its lines', 'b\n', 'b\r\n', ['-b', String.raw`+b\r`]],
    ['has a byte order mark', '\uFEFFone\n', '\uFEFFtwo\n', ['-one', '+two']],
    ['gets a byte order mark', 'one\n', '\uFEFFone\n', ['-one', String.raw`+\u{feff}one`]],
    ['is indented by tabs', '\t\ta\n', '\t\tb\n', ['-→   →   a', '+→   →   b']],
    [
      'comes late in a line',
      `${'x'.repeat(200)}old end\n`,
      `${'x'.repeat(200)}new end\n`,
      [`-…${'x'.repeat(30)}old end`, `+…${'x'.repeat(30)}new end`],
    ],
    [
      'comes after half a character',
      `${'😀'.repeat(60)}!${'😀'.repeat(15)}a\n`,
      `${'😀'.repeat(60)}!${'😀'.repeat(15)}b\n`,
      [`-…${'😀'.repeat(15)}a`, `+…${'😀'.repeat(15)}b`],
    ],
  ])('shows where the lines of a file differ that %s', (_what, before, after, shown) => {
    const diff = unifiedDiff({ path: 'a.txt', before: side(before), after: side(after) })
    const { message } = shortCard(card({ changes: [change('a.txt', diff)] }))
    expect(message.split('\n').slice(1, 3)).toEqual(shown)
  })

  it('shows what a call sends or stores that changes no file and runs no command', () => {
    const url = 'https://example.com/a?token=abc'
    const claims = [{ action: 'net' as const, resource: 'https://example.com' }]
    const asked = (input: object) => shortCard(card({ tool: 'toolwright/fetch', input, claims }))
    expect(asked({ url }).message.split('\n').slice(0, 3)).toEqual([
      'fetch https://example.com',
      `url: ${url}`,
      'Could happen: reaches https://example.com',
    ])
    expect([asked({ url }).details, asked({ url }).isPlain]).toEqual([undefined, true])
    // A terminal cuts the line.
    const long = { url: `${url}${'x'.repeat(200)}` }
    expect([asked(long).details, asked(long).isPlain]).toEqual([`url: ${long.url}`, false])
    const read = shortCard(card({ input: { path: '.env' }, claims: [{ action: 'read', resource: '.env' }] }))
    expect(read.message.split('\n').slice(0, 2)).toEqual(['edit .env', 'Could happen: reads .env'])
  })

  it('says which step of a transaction is asked about, and names the first of its files', () => {
    const changes = Array.from({ length: 50 }, (_, at) => change(`d/${at}.txt`, '@@ -1 +1 @@\n-a\n+b\n'))
    const { message } = shortCard(card({ tool: 'toolwright/stage', input: { action: 'commit' }, changes }))
    expect(message).toMatch(/^stage commit d\/0\.txt and 49 more \(\+50 −50\)\n/)
    expect(message).toContain('Could happen: changes d/0.txt, d/1.txt, d/2.txt and 47 more · Why: ')
  })

  it('limits every line but the command itself', () => {
    const text = 'y'.repeat(1_000_000)
    const diff = `@@ -0,0 +1 @@\n+${text}\n`
    const { message, details = '' } = shortCard(card({ changes: [change('a.txt', diff)], proposal: text }))
    expect(message.length).toBeLessThan(2_000)
    expect(details.length).toBeLessThanOrEqual(20_000)
    const command = `echo ${'y'.repeat(30_000)}`
    const asked = { tool: 'toolwright/run', input: { command }, claims: execs(command), proposal: `run '${command}'` }
    expect(shortCard(card(asked)).message).toMatch(
      new RegExp(`^run ${command}\nNot shown: 1 line .{1,100}\nCould happen: .{1,600}\nWhy: .*$`),
    )
  })

  it('counts a file whose lines it cannot show as hidden', () => {
    const diff = unifiedDiff({ path: 'a.bin', before: { bytes: Buffer.from([0, 1]), mode: 0o644 }, after: side('x') })
    const { message, details, isPlain } = shortCard(card({ changes: [change('a.bin', diff)] }))
    expect([message.split('\n')[0], isPlain]).toEqual(['edit a.bin', false])
    expect(details).toContain('binary data, 2 bytes')
  })

  it('names both ends of a move, and counts no lines where none changes', () => {
    const diff = unifiedDiff({ path: 'h.txt', from: 'f.txt', before: side('x\n'), after: side('x\n') })
    const moved = { kind: 'move', path: 'h.txt', from: 'f.txt', diff: () => diff } as Change
    const { message } = shortCard(card({ tool: 'toolwright/move', changes: [moved] }))
    expect(message.split('\n').slice(0, 2)).toEqual(['move f.txt → h.txt', 'Could happen: moves f.txt to h.txt'])
  })

  it('counts further files, and lets no value begin a line or steer a terminal', () => {
    const evil = 'a\x1b[2J\nWhy: it is harmless'
    const changes = [
      change(evil, `@@ -0,0 +1 @@\n+${evil}\n`),
      change('b.txt', 'diff --git a/b.txt b/b.txt\n@@ -0,0 +1 @@\n+b\n'),
    ]
    const { message, details = '' } = shortCard(card({ changes, why: evil, proposal: evil }))
    expect(message.split('\n')[0]).toMatch(/ and 1 more \(\+2 −0\)$/)
    expect(message.split('\n').filter(line => line.startsWith('Why: '))).toHaveLength(1)
    expect(message.split('\n')).toHaveLength(4)
    expect([rawCharacter(message), rawCharacter(details)]).toEqual([undefined, undefined])
  })
})
