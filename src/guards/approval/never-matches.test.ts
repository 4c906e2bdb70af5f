import { describe, expect, it } from 'vitest'
import { neverMatches } from './never-matches.ts'

const parameters = { names: ['path', 'content', 'mode', 'edits'], required: ['path', 'content'] }

describe('neverMatches', () => {
  it.each([
    '^{"path":".*","content":".*"}$',
    '^{"path":"[^"]*","content":"a\\{b","mode":[0-7]{3}}$',
    '{"path":"src/.*\\.ts","content":"say \\\\"hi\\\\""}',
    '^\\{"path":"a","content":"b","edits":\\[\\{"old":"x","new":"y"\\}\\]\\}$',
    '^{"path":"a"(?:,"content":".*")?}$',
    '^{"path":"a|b","content":"c"}$',
    '^{".*":"a","content":"b"}$',
    '^{"path":"a","content":"b".*$',
  ])('says nothing of %s, which may match', pattern => {
    expect(neverMatches(pattern, parameters)).toBeUndefined()
  })

  it.each([
    ['^{"path":".*\\.txt"}$', /leaves out 'content'/],
    ['^{}$', /leaves out 'path'/],
    ['^{"content":"b","path":"a"}$', /another order/],
    ['^{"path":"a","path":"a","content":"b"}$', /another order/],
    ['^{"path":"a","content":"b","command":"c"}$', /no parameter 'command'/],
    ['^{"path":"a","content":"b"$', /does not end with }/],
    ['^{"path":"a","content":"b"} x$', /does not end with }/],
  ])('CA-15: says why %s cannot', (pattern, why) => {
    expect(neverMatches(pattern, parameters)).toMatch(why)
  })
})
