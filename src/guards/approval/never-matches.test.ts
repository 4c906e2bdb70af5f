import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import { neverMatches } from './never-matches.ts'
import { compilePattern } from './pattern.ts'

const typed = {
  names: ['path', 'mode', 'depth', 'tags', 'edits', 'deep'],
  required: ['path'],
  values: {
    path: { type: 'string' },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    depth: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' } },
    edits: { type: 'array', items: { type: 'object' } },
    deep: { type: 'boolean' },
  },
}
const parameters = { names: ['path', 'content', 'mode', 'edits'], required: ['path', 'content'] }

describe('neverMatches', () => {
  it.each([
    '^{"path":".*","content":".*"}$',
    '^{"path":"[^"]*","content":"a\\{b","mode":[0-7]{3}}$',
    '{"path":"src/.*\\.ts","content":"say \\\\"hi\\\\""}',
    '^\\{"path":"a","content":"b","edits":\\[\\{"old":"x","new":"y"\\}\\]\\}$',
    '^{"path":"a"(?:,"content":".*")?}$',
    '^{"path":"(?:a|b)","content":"c"}$',
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

  it.each([
    ['^{"path":5}$', /'path' never has such a value/],
    ['^{"path":["a"]}$', /'path' never has such a value/],
    ['^{"path":\\["a"\\]}$', /'path' never has such a value/],
    ['^{"path":a.*}$', /'path' never has such a value/],
    ['^{"path":\\W.*\\W}$', /'path' never has such a value/],
    ['^{"path":"a\\nb"}$', /'path' never has such a value/],
    ['^{"path":"a","mode":"quick"}$', /'mode' never has such a value/],
    ['^{"path":"a","depth":"3"}$', /'depth' never has such a value/],
    ['^{"path":"a","tags":"x"}$', /'tags' never has such a value/],
    ['^{"path":"a","tags":\\[1\\]}$', /'tags' never has such a value/],
    ['^{"path":"a","deep":0}$', /'deep' never has such a value/],
    ['^{"path": "a"}$', /no spaces/],
    ['^{"path":"a", "deep":true}$', /no spaces/],
    ['^{ "path":".*" }$', /no spaces/],
    ['^{"(?:dept|wide)":.*}$', /form of the parameters/],
    ['{.+}', /leaves out 'path'/],
  ])('CA-15: says why %s cannot match parameters of these types', (pattern, why) => {
    expect(neverMatches(pattern, typed)).toMatch(why)
  })

  it.each([
    '^{"path":"5"}$',
    '^{"path":".*"}$',
    '^{"path"?:"a"}$',
    '^{"pat[a-z]":"a b","mode":"(?:fast|quick)"}$',
    '^{"path":"a"(?:,"mode":"f\\w+")?,"depth":(?:null|-?\\d{1,3})}$',
    '^{"path":"a","depth":1e\\+21}$',
    '^{"path":"a","tags":\\[\\]}$',
    '^{"path":"a","tags":\\["x"(?:,"[^"]*")*\\],"deep":true}$',
    '^{"path":"a","edits":\\[{"new":"b","old":"c"}\\]}$',
    '^(?:{"path":5}|{"path":"b"})$',
    '^{"path":"say \\\\"hi\\\\" \\\\n \\{é"}$',
    '^{"path":"a\\b b"}$',
  ])('CA-15: takes %s, which can', pattern => {
    expect(neverMatches(pattern, typed)).toBeUndefined()
  })

  it('CA-15: refuses no pattern that matches a call', () => {
    const call = fc.record(
      {
        path: fc.string({ unit: fc.constantFrom('a', '"', '\n', '{', '}', ',', ' ', 'é', '.', '*', '🙂') }),
        mode: fc.constantFrom('fast', 'slow'),
        depth: fc.option(fc.integer()),
        tags: fc.array(fc.string({ unit: fc.constantFrom('b', '"', '-', ']') }), { maxLength: 3 }),
        edits: fc.array(fc.dictionary(fc.constantFrom('k', 'l'), fc.integer()), { maxLength: 2 }),
        deep: fc.boolean(),
      },
      { requiredKeys: ['path'] },
    )
    const wildcard = fc.constantFrom('.', '.?', '.*', '(?:x|.)', '[^x]', '.{1,2}')
    let matched = 0
    fc.assert(
      fc.property(call, fc.array(fc.tuple(fc.nat(), wildcard), { maxLength: 4 }), (input, open) => {
        const canonical = canonicalJson(input, typed.names)
        const pieces = canonical.match(/\\.|[^\\]/gsu) ?? []
        const spelled = pieces.map(piece => (/^[\w":,é]$/.test(piece) ? piece : piece.replace(/[^\w"é🙂]/gu, '\\$&')))
        for (const [at, any] of open) if (spelled[at % spelled.length] !== '"') spelled[at % spelled.length] = any
        const pattern = `^${spelled.join('')}$`
        if (pattern.length > 1_000 || !compilePattern(pattern).matches(canonical)) return
        matched++
        expect(neverMatches(pattern, typed)).toBeUndefined()
      }),
    )
    expect(matched).toBeGreaterThan(30)
  })
})
