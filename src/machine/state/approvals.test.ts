import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openApprovals, type Approvals, type StoredApproval } from './approvals.ts'

let dir = ''
let file = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolwright-approvals-'))
  file = join(dir, 'approvals.json')
})
afterEach(() => rmSync(dir, { recursive: true }))

const open = (): Approvals => openApprovals(file, { lock: join(dir, 'lock') })
const rule: Omit<StoredApproval, 'id'> = {
  tool: 'toolwright/write',
  grants: [{ action: 'write', path: 'src/**' }],
  scope: 'workspace',
  workspace: 'key',
  by: 'ada',
  at: '2026-11-01T10:00:00.000Z',
  enabled: true,
}
interface Stored {
  version: number
  rules: Record<string, unknown>[]
}
const stored = (): Stored => JSON.parse(readFileSync(file, 'utf8'))
const tamper = (change: (content: Stored) => void) => {
  const content = stored()
  change(content)
  writeFileSync(file, JSON.stringify(content))
}

describe('approvals', () => {
  it('are remembered, for this user alone', () => {
    const added = open().add({ ...rule, pattern: undefined, why: 'tests' })
    expect(open().list()).toEqual([{ ...rule, why: 'tests', id: added.id }])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('are removed, switched and touched', () => {
    const approvals = open()
    const [a, b] = [approvals.add(rule), approvals.add({ ...rule, tool: 'toolwright/edit' })]
    expect(approvals.remove(a.id)).toBe(true)
    expect(approvals.remove(a.id)).toBe(false)
    expect(approvals.setEnabled(b.id, false)).toBe(true)
    expect(approvals.setEnabled('none', false)).toBe(false)
    expect(approvals.list()).toMatchObject([{ id: b.id, enabled: false }])
    approvals.setEnabled(b.id, true)
    approvals.touch(b.id, '2026-11-02T10:00:00.000Z')
    approvals.touch('none', '2026-11-02T10:00:00.000Z')
    expect(open().list()).toMatchObject([{ id: b.id, enabled: true, lastUsed: '2026-11-02T10:00:00.000Z' }])
  })

  it('note their use without writing a file for every call', () => {
    const approvals = open()
    const { id } = approvals.add(rule)
    approvals.touch(id, '2026-11-02T10:00:00.000Z')
    const before = statSync(file, { bigint: true })
    approvals.touch(id, '2026-11-02T10:00:30.000Z')
    expect(statSync(file, { bigint: true }).ino).toBe(before.ino)
    approvals.touch(id, '2026-11-02T10:01:00.000Z')
    expect(open().list()[0]?.lastUsed).toBe('2026-11-02T10:01:00.000Z')
  })

  it('AP-0056: do not count a rule that came into the file behind our back, until it is opened anew', () => {
    const approvals = open()
    const { id } = approvals.add(rule)
    expect(approvals.list()).toHaveLength(1)
    tamper(content => content.rules.push({ ...rule, id: 'planted', tool: 'toolwright/delete' }))
    expect(approvals.list().map(known => known.id)).toEqual([id])
    expect(open().list()).toHaveLength(2)
  })

  it('AP-0056: do not count a rule that was widened behind our back', () => {
    const { id } = open().add({ ...rule, expiresAt: '2026-12-01T00:00:00.000Z' })
    for (const change of [
      { expiresAt: '2099-12-01T00:00:00.000Z' },
      { grants: [{ action: 'write', path: '**' }] },
      { tool: 'x' },
    ]) {
      const approvals = open()
      const before = stored()
      tamper(content => Object.assign(content.rules[0] ?? {}, change))
      expect(approvals.list()).toEqual([])
      writeFileSync(file, JSON.stringify(before))
      expect(approvals.list().map(known => known.id)).toEqual([id])
    }
  })

  it('AP-0056: stay off when switched on behind our back, and go off when switched off', () => {
    const { id } = open().add(rule)
    const whileOn = open()
    tamper(content => Object.assign(content.rules[0] ?? {}, { enabled: false }))
    const whileOff = open()
    expect(whileOn.list()).toMatchObject([{ id, enabled: false }])
    tamper(content => Object.assign(content.rules[0] ?? {}, { enabled: true }))
    expect(whileOff.list()).toMatchObject([{ id, enabled: false }])
  })

  it('that another process adds are kept in the file when we add ours', () => {
    const [a, b] = [open(), open()]
    const [first, second] = [a.add(rule), b.add(rule)]
    expect(a.list().map(known => known.id)).toEqual([first.id])
    expect(
      open()
        .list()
        .map(known => known.id),
    ).toEqual([first.id, second.id])
    expect(b.remove(first.id)).toBe(true)
    expect(a.list()).toEqual([])
  })

  it.each([
    'not json',
    '{}',
    '{"version":2,"rules":[]}',
    '{"version":1,"rules":[{"id":"a"}]}',
    '{"version":1,"rules":[],"more":1}',
  ])('say of a file that is %s why nothing counts, and change nothing in it', content => {
    const approvals = open()
    approvals.add(rule)
    writeFileSync(file, content)
    for (const opened of [approvals, open()]) {
      expect(opened.list()).toEqual([])
      expect(opened.problem()).toMatchObject({ code: 'io', hint: expect.stringContaining('Repair') })
      expect(() => opened.add(rule)).toThrow(expect.objectContaining({ code: 'io' }))
    }
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it('that could not be loaded again are not saved', () => {
    expect(() => open().add({ ...rule, at: 'yesterday' })).toThrow(/at/)
    expect(open().list()).toEqual([])
  })
})
