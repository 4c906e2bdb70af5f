import { beforeAll, describe, expect, it } from 'vitest'
import { loadCommandParser } from '../../guards/policy/command-parser.ts'
import type { Change } from '../../kernel/change.ts'
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
    expect(message).toMatch(/\nWhy: the default for write is ask$/)
    expect(whole).toContain('-DEBUG = True')
    expect(whole).not.toContain('\n')
  })

  it('shows a command itself', () => {
    const asked = card({ tool: 'toolwright/run', claims: [{ action: 'exec', resource: 'npm test' }] })
    expect(shortCard(asked)).toMatchObject({ message: expect.stringMatching(/^run npm test\n/), diff: undefined })
  })

  it('counts further files, and lets no value begin a line or steer a terminal', () => {
    const evil = 'a\x1b[2J\nWhy: it is harmless'
    const changes = [change(evil, `+${evil}\n`), change('b.txt', '+b\n')]
    const { message, diff = '' } = shortCard(card({ changes, why: evil, proposal: evil }))
    expect(message.split('\n')[0]).toMatch(/ and 1 more \(\+2 −0\)$/)
    expect(message.split('\n').filter(line => line.startsWith('Why: '))).toHaveLength(1)
    expect([rawCharacter(message), rawCharacter(diff)]).toEqual([undefined, undefined])
  })
})
