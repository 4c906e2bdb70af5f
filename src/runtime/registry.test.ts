import { describe, expect, it } from 'vitest'
import { createRegistry, type Listed } from './registry.ts'

const read: Listed = { name: 'read', effects: ['read'] }
const write: Listed = { name: 'write', effects: ['create', 'write'] }

describe('createRegistry', () => {
  it('SG-04: registers, finds, lists, removes and clears in order', () => {
    const registry = createRegistry([read])
    registry.register(write)
    expect(registry.has('write')).toBe(true)
    expect(registry.get('read')).toBe(read)
    expect(registry.list()).toEqual([read, write])
    registry.remove('read')
    expect(registry.has('read')).toBe(false)
    registry.clear()
    expect(registry.list()).toEqual([])
  })

  it('SG-04: a duplicate and an unknown name are clear errors', () => {
    const registry = createRegistry([read])
    expect(() => registry.register(read)).toThrow("A tool named 'read' is already registered")
    expect(() => registry.get('reed')).toThrow("No tool named 'reed'")
    expect(() => registry.remove('reed')).toThrow("No tool named 'reed'")
  })

  it('SG-05: read-only, mutating tools are neither listed nor runnable', () => {
    const registry = createRegistry([read, write], { readOnly: true })
    expect(registry.list()).toEqual([read])
    expect(registry.has('write')).toBe(false)
    expect(() => registry.get('write')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('read-only'),
        hint: expect.stringContaining('--read-only'),
      }),
    )
  })
})
