import { expect, it } from 'vitest'
import { modelText } from './model-text.ts'

const meta = { id: 'c1', startedAt: '', endedAt: '', durationMs: 0, claims: [], changed: [] }

it.each([
  [
    'files are still being read',
    { partial: true },
    /^symbols \(0 symbols, partial\)\nFiles are still being read, .*ask again$/,
  ],
  ['files do not parse', { partial: true, unread: ['a.py'] }, /^symbols \(partial, 1 unread\)\nunread: a\.py$/],
  ['all was read', { partial: false }, /^symbols \(0 symbols\)$/],
])('says of symbols that were not found whether there may be others: %s', async (_when, more, said) => {
  expect(await modelText('symbols', { ok: true, data: { symbols: [], truncated: false, ...more }, meta })).toMatch(said)
})
