import { beforeAll, describe, expect, it } from 'vitest'
import { loadCommandParser } from '../../guards/policy/command-parser.ts'
import { decide } from '../../guards/policy/decide.ts'
import { makePolicy } from '../../guards/policy/policy.ts'
import type { Change } from '../../kernel/change.ts'
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
    const { message, diff: whole } = shortCard(card({ changes: [change('conf/settings.py', diff)] }))
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
    const { message, diff } = shortCard(card({ tool: 'toolwright/run', claims, why, proposal: 'run npm test' }))
    expect(diff).toBeUndefined()
    expect(message.split('\n')).toEqual([
      `run ${command}`,
      'Could happen: runs code, which may change files of the workspace',
      expect.stringMatching(/^Why: 'npm test': no rule, and the default for exec is ask/),
      'Always means: run npm test',
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
    const { message, diff = '' } = shortCard(card({ changes, why: evil, proposal: evil }))
    expect(message.split('\n')[0]).toMatch(/ and 1 more \(\+2 −0\)$/)
    expect(message.split('\n').filter(line => line.startsWith('Why: '))).toHaveLength(1)
    expect(message.split('\n')).toHaveLength(4)
    expect([rawCharacter(message), rawCharacter(diff)]).toEqual([undefined, undefined])
  })
})
