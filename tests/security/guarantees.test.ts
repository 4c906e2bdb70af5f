import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { at } from '../../scripts/root.mjs'

describe('SECURITY.md', () => {
  const rows = readFileSync(at('SECURITY.md'), 'utf8')
    .split('## What holds')[1]
    ?.split('\n##')[0]
    ?.split('\n')
    .filter(line => line.startsWith('| '))
    .slice(2)

  it('names tests that exist for each guarantee', () => {
    expect(rows?.length).toBeGreaterThan(10)
    for (const row of rows ?? []) {
      const tests = [
        ...(row
          .split('|')
          .at(-2)
          ?.matchAll(/`([^`]+)`/g) ?? []),
      ].map(([, name]) => name ?? '')
      expect([row, tests.length > 0]).toEqual([row, true])
      for (const name of tests) expect([name, existsSync(at('tests', `${name}.test.ts`))]).toEqual([name, true])
    }
  })
})
