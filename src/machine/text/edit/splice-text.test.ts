import { describe, expect, it } from 'vitest'
import { applySplices, spliceText } from './splice-text.ts'
import { openRoot } from '../../workspace/root.ts'
import { openWorkspace } from '../../workspace/open-workspace.ts'
import { createReadMemory } from '../../workspace/read-memory.ts'
import { createStaging } from '../../workspace/staging.ts'
import { temporaryWorkspace } from '../../../testing/temporary-workspace.ts'

async function after(
  bytes: Buffer,
  ...splices: readonly { start: number; old: string; new: string }[]
): Promise<Buffer> {
  await using workspace = temporaryWorkspace({ a: bytes })
  const root = openRoot(workspace.path)
  try {
    const grant = [
      { action: 'read', resource: 'a' },
      { action: 'write', resource: 'a' },
    ] as const
    const ws = openWorkspace(root, { grant, staging: createStaging(), memory: createReadMemory(), strictWrites: true })
    spliceText(
      ws,
      'a',
      splices.map(each => ({ ...each, end: each.start + each.old.length })),
    )
    return ws.read('a').bytes
  } finally {
    root.close()
  }
}

describe('spliceText', () => {
  it('replaces by places in any order, and every other byte survives', async () => {
    const twice = [
      { start: 5, old: 'x', new: 'long' },
      { start: 0, old: 'x', new: '' },
    ]
    expect((await after(Buffer.from('x ü\r\nx\n'), ...twice)).toString()).toBe(' ü\r\nlong\n')
    const marked = Buffer.from('\ufeffxü x')
    expect((await after(marked, { start: 3, old: 'x', new: 'ö' })).toString()).toBe('\ufeffxü ö')
    const wide = await after(Buffer.from('\ufeffa 😀 b', 'utf16le'), { start: 5, old: 'b', new: 'c' })
    expect(wide.toString('utf16le')).toBe('\ufeffa 😀 c')
    const latin = await after(Buffer.from('é x', 'latin1'), { start: 2, old: 'x', new: 'y' })
    expect(latin.toString('latin1')).toBe('é y')
  })

  it('is a conflict where something else is there, or two overlap', async () => {
    await expect(after(Buffer.from('abc'), { start: 0, old: 'x', new: 'y' })).rejects.toMatchObject({
      code: 'conflict',
    })
    const one = { start: 0, end: 2, old: 'ab', new: '' }
    expect(() => applySplices('a', 'abc', [one, { start: 1, end: 2, old: 'b', new: '' }])).toThrow(
      /is not what the change was made for/,
    )
  })

  it('refuses a letter that a damaged file could not take', async () => {
    const broken = Buffer.from([0xc3, 0xa9, 0x20, 0xff, 0x20, 0x78])
    await expect(after(broken, { start: 5, old: 'x', new: 'ö' })).rejects.toMatchObject({ code: 'invalid_input' })
    expect([...(await after(broken, { start: 5, old: 'x', new: 'y' }))]).toEqual([0xc3, 0xa9, 0x20, 0xff, 0x20, 0x79])
  })
})
