import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareExports } from '../bench/compare-exports.ts'

const installed = (name: string) => join(import.meta.dirname, '..', 'node_modules', name)

describe('the exports of real packages', () => {
  it.each([
    ['chai', 4],
    ['jose', 70],
    ['magic-string', 2],
    ['postcss', 20],
    ['undici-types', 40],
  ])('are those that TypeScript finds: %s', { timeout: 120_000 }, async (name, atLeast) => {
    const { files, expected, differences } = await compareExports(installed(name))
    expect(differences).toEqual([])
    expect(files).toBeGreaterThanOrEqual(atLeast)
    expect(expected).toBeGreaterThan(0)
  })
})
