import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { at, root } from '../../scripts/root.mjs'
import { DOCUMENTS } from '../../scripts/clauses.ts'

describe('the table of promises in docs/contracts.md', () => {
  const rows = [
    ...readFileSync(at('docs/contracts.md'), 'utf8').matchAll(/^\| ([A-Z]{2}-(?:\d\d|x\d)) +\| (.*?) +\| (.*?) +\|$/gm),
  ].map(([, id = '', promise = '', kept = '']) => ({ id, promise, kept }))
  const names = globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root })
    .map(file => readFileSync(at(file), 'utf8'))
    .join('\n')

  it('has every clause of the five documents once, in order', () => {
    const ids = DOCUMENTS.flatMap(({ ids: listed }) => listed)
    expect(rows.map(({ id }) => id)).toEqual(ids)
  })

  it('says of each whether it is kept', () => {
    expect(rows.filter(({ kept }) => !/^(yes|with a difference: .+|in part: .+|not yet: .+)$/.test(kept))).toEqual([])
  })

  it('has a test with its id for each that is kept', () => {
    const kept = rows.filter(row => !row.kept.startsWith('not yet'))
    expect(kept.filter(({ id }) => !names.includes(id)).map(({ id }) => id)).toEqual([])
  })
})
