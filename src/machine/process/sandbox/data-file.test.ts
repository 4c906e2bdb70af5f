import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openData } from './data-file.ts'

describe('data for a program that is not there yet', () => {
  it('reads from the start, whole, and has no name', () => {
    const fd = openData('x'.repeat(300_000))
    expect(fstatSync(fd).nlink).toBe(0)
    expect(readFileSync(fd, 'utf8')).toHaveLength(300_000)
    closeSync(fd)
  })
})
