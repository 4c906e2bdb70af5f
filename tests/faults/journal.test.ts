// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { afterAll, describe, expect, vi } from 'vitest'
import { needs } from '../needs.ts'
import { unwritablePoints, type ChangingCall } from './journal-rig.ts'

// What is imported above would import the very module.
vi.mock('node:fs', async original => (await import('./journal-fault.ts')).failing(await original<object>()))

const it = needs('bubblewrap', 'git')
const long = process.env['TOOLWRIGHT_LONG'] === '1'
const points: string[] = []
afterAll(() => console.log(`unwritable journal: ${points.join(', ')}`))

const everything = /\/(journal|heads|calls)\//
const journal = /\/journal\/journal/

const calls: Readonly<Record<string, ChangingCall>> = {
  write: { tool: 'write', input: { path: 'new/d.txt', content: 'four\n', expect: 'absent' } },
  'write of a large file': {
    tool: 'write',
    input: { path: 'd.txt', content: 'four\n'.repeat(9000), expect: 'absent' },
  },
  edit: { tool: 'edit', input: { path: 'a.txt', edits: [{ old: 'one', new: 'eins' }] } },
  delete: { tool: 'delete', input: { path: 'src/b.txt' } },
  move: { tool: 'move', input: { from: 'src/b.txt', to: 'lib/b.txt' } },
  undo: { tool: 'undo', input: {}, before: [['delete', { path: 'a.txt' }]] },
  transaction: {
    tool: 'stage',
    input: { action: 'commit' },
    before: [
      ['stage', { action: 'begin' }],
      ['delete', { path: 'a.txt' }],
      ['move', { from: 'src/b.txt', to: 'b.txt' }],
    ],
  },
}

const commands: Readonly<Record<string, ChangingCall>> = {
  'command in the sandbox': { tool: 'run', input: { command: 'echo x > x.txt; rm a.txt' } },
  'command that makes a repository': { tool: 'run', input: { command: 'git init -q; echo x > x.txt' } },
  'command without the sandbox': {
    tool: 'run',
    input: { command: 'echo x > x.txt' },
    config: { sandbox: 'off' },
  },
}

describe('with a journal that cannot be written from some call on', () => {
  it.each(Object.entries(calls))('lands a %s with its record or not at all', async (name, call) => {
    const stride = long ? 1 : name === 'undo' ? 59 : 17
    const faults = [
      { files: journal, lasting: true },
      { files: everything, lasting: true },
      { files: everything, lasting: false },
    ]
    // Each begins at another call, so that together they meet more of them.
    for (const [number, fault] of (long ? faults : faults.slice(0, 2)).entries()) {
      const { count, violations } = await unwritablePoints(call, fault, { stride, first: long ? 0 : number * 8 })
      points.push(`${name} ${count}`)
      expect(violations).toEqual([])
      expect(count).toBeGreaterThan(5)
    }
  })

  for (const [name, call] of Object.entries(commands))
    it(`lands a ${name} with its record or does not run it`, async () => {
      // Without the sandbox there are few moments.
      const moments = { stride: long ? 3 : call.config ? 61 : 131 }
      const { count, violations } = await unwritablePoints(call, { files: everything, lasting: true }, moments)
      points.push(`${name} ${count}`)
      expect(violations).toEqual([])
      expect(count).toBeGreaterThan(2)
    })
})

describe('the rig', () => {
  it('finds calls that write no intent', async () => {
    const { violations } = await unwritablePoints(
      calls['write'] ?? { tool: '', input: {} },
      { files: journal, lasting: true },
      { stride: 20 },
      ({ workspace }) => Object.assign(workspace.calls, { begin() {} }),
    )
    expect(violations).toContainEqual(expect.stringContaining('the journal does not know of it'))
  })
})
