import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outcome } from './kernel/outcome.ts'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

const WRITE = { permissions: ['fs:write'] }
const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
const dataOf = (outcome: Outcome): Record<string, unknown> => Object(outcome.ok ? outcome.data : undefined)

describe('a read of a part', () => {
  it('is no read of the file: replacing all of it is refused until the rest is read', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\ntwo\nthree\n' })
    const kit = await workspace.open(WRITE)
    const write = { path: 'a.txt', content: 'new\n' }
    await kit.run('read', { path: 'a.txt', from: 1, to: 1 })
    expect((await kit.run('write', write)).outcome).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('in part'), hint: expect.stringContaining('edit') },
    })
    const edit = { path: 'a.txt', edits: [{ old: 'one', new: 'ONE' }] }
    expect(codeOf((await kit.run('edit', edit)).outcome)).toBe('ok')
    expect(codeOf((await kit.run('write', write)).outcome)).toBe('conflict')
    await kit.run('read', { path: 'a.txt', from: 2 })
    expect(codeOf((await kit.run('write', write)).outcome)).toBe('conflict')
    await kit.run('read', { path: 'a.txt', from: 1, to: 2 })
    expect(codeOf((await kit.run('write', write)).outcome)).toBe('ok')
  })

  it('gives the hash that a whole write takes as its condition', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\ntwo\n' })
    const kit = await workspace.open(WRITE)
    const { hash } = dataOf((await kit.run('read', { path: 'a.txt', from: 1, to: 1 })).outcome)
    expect(codeOf((await kit.run('write', { path: 'a.txt', content: 'new\n', expect: hash })).outcome)).toBe('ok')
  })

  it('AA-11: leads on to the rest of a line that is too long for one answer', async () => {
    const line = Array.from({ length: 30_000 }, (_, at) => `item${at},`).join('')
    await using workspace = temporaryWorkspace({ 'long.txt': line })
    const kit = await workspace.open()
    let content = ''
    let next: unknown = {}
    while (next !== undefined) {
      const data = dataOf((await kit.run('read', { path: 'long.txt', ...Object(next) })).outcome)
      content += String(data['content'])
      next = data['next']
    }
    expect(content).toBe(line)
  })
})

describe('ref:ID', () => {
  it('SG-18: is read by callers who may read references and what its call read, and by no others', async () => {
    await using workspace = temporaryWorkspace({ 'long.txt': 'some text\n'.repeat(1_000) })
    mkdirSync(join(workspace.base, 'config'))
    writeFileSync(join(workspace.base, 'config/config.json'), '{"limits":{"answerBytes":2000}}')
    const kit = await workspace.open()
    const { ref } = (await kit.run('read', { path: 'long.txt' })).outcome.meta
    expect(ref).toMatch(/^ref:/)
    const read = async (permissions: readonly string[]) =>
      codeOf((await kit.session({ permissions, permissionsOnly: true }).run('read', { path: ref, to: 2 })).outcome)
    expect(await read([])).toBe('denied')
    expect(await read(['fs:read:src/**'])).toBe('denied')
    expect(await read(['fs:read'])).toBe('ok')
    expect(await read(['fs:read:ref:*'])).toBe('denied')
    expect(await read(['fs:read:ref:*', 'fs:read:long.txt'])).toBe('ok')
  })
})
