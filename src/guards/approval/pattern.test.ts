import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import { compilePattern } from './pattern.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const keys = ['path', 'content', 'mode', 'edits']
const matches = (pattern: string, input: Record<string, unknown>): boolean =>
  compilePattern(pattern).matches(canonicalJson(input, keys))

describe('compilePattern', () => {
  it('CA-15: matches the example of the document, with one backslash and with two', () => {
    for (const pattern of ['^{"path":".*\\.txt"}$', '^{"path":".*\\\\.txt"}$', '{"path":".*\\.txt"}']) {
      expect(matches(pattern, { path: 'test.txt' })).toBe(true)
      expect(matches(pattern, { path: 'testxtxt' })).toBe(false)
      expect(matches(pattern, { path: 'x.py' })).toBe(false)
    }
  })

  it('CA-15: matches the whole of the parameters or nothing', () => {
    expect(compilePattern('{"command":"npm test"').matches('{"command":"npm test"}')).toBe(false)
    expect(compilePattern('^{"command":"npm test"}$').matches('{"command":"npm test"}\n')).toBe(false)
    expect(compilePattern('^{"command":"npm test"}$').matches('{"command":"NPM TEST"}')).toBe(false)
  })

  it('lets no wildcard reach into another parameter', () => {
    const call = { path: 'evil.py', content: 'a.txt' }
    for (const any of ['.*', '[^/]*', '\\S*', '[^\\n]*', '\\W*\\w*.*', '(?:.|[^a])*'])
      expect(matches(`^{"path":"${any}\\.txt"}$`, call)).toBe(false)
    expect(matches('^{"path":".*\\.txt"(?:,"content":".*")?}$', call)).toBe(false)
    expect(matches('^{"path":".*\\.txt"(?:,"content":".*")?}$', { path: 'a.txt', content: 'evil "," {' })).toBe(true)
    expect(matches('^{"path":"src/.*","mode":1}$', { path: 'src/a', content: '","mode":1', mode: 1 })).toBe(false)
  })

  it('matches any text inside a string, whatever it holds, and never the string after it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', ',', '{', '.', '\u0001', 'é') })
    fc.assert(
      fc.property(text, text, (path, content) => {
        const canonical = canonicalJson({ path, content }, keys)
        expect(compilePattern('^{"path":".*","content":".*"}$').matches(canonical)).toBe(true)
        expect(compilePattern('^{"path":".*"}$').matches(canonical)).toBe(false)
      }),
    )
  })

  it('matches quotes and backslashes inside a value by their escapes', () => {
    expect(matches('^{"path":"say \\\\"hi\\\\""}$', { path: 'say "hi"' })).toBe(true)
    expect(matches('^{"path":"a\\\\\\\\b"}$', { path: 'a\\b' })).toBe(true)
    expect(matches('^{"path":"ends\\\\\\\\"}$', { path: 'ends\\' })).toBe(true)
    expect(matches('^{"path":"a\\\\nb"}$', { path: 'a\nb' })).toBe(true)
  })

  it.each([
    ['', /empty/],
    ['^', /anchor only/],
    ['$', /anchor only/],
    ['^$', /anchor only/],
    ['|', /empty branch/],
    ['x|', /empty branch/],
    ['|x', /empty branch/],
    ['a(|b)', /empty branch/],
    ['a()', /empty branch/],
    ['^a|b$', /one branch only/],
    ['^a|b', /one branch only/],
    ['a|b$', /one branch only/],
    ['(', /empty branch|not closed/],
    ['(a', /not closed/],
    ['a)', /no '\('/],
    ['[a', /not closed/],
    ['a{2,1}', /refused/],
    ['*a', /refused/],
    ['a\\', /lone/],
    ['(?s).*', /inline flags/],
    ['(?i)a', /inline flags/],
    ['(?i:a)', /inline flags/],
    ['(?=a)b', /inline flags/],
    ['(?!a)b', /inline flags/],
    ['.*', /every call/],
    ['^.*$', /every call/],
    ['^.+$', /every call/],
    ['{.*}', /every call/],
    ['^\\{[^\\x01]*\\}$', /not taken/],
    ['[\\s\\S]*', /not taken/],
    ['[\\w\\W]*', /not taken/],
    ['^(?:.|\\n)*$', /every call/],
    ['(.*)', /every call/],
    ['(?:a|.*)', /every call/],
    ['[^\\n]*', /every call/],
    ['a^b', /in the middle/],
    ['a$b', /in the middle/],
    ['\\Qa\\E', /not taken/],
    ['\\pL', /not taken/],
    ['[[:ascii:]]', /not taken/],
    ['\\x01', /not taken/],
    ['a\u0001b', /control character/],
    ['a'.repeat(1_001), /longer than 1000/],
    ['(a{100}){100}', /refused/],
    ['a*', /the empty text/],
    ['[^x]*', /the empty text/],
  ])('CA-15: refuses %j at load', (pattern, message) => {
    expect(() => compilePattern(pattern)).toThrow(message)
    expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  it('takes an escaped dollar, a group of branches and named groups', () => {
    expect(compilePattern('{"path":"a\\$"}').matches('{"path":"a$"}')).toBe(true)
    expect(compilePattern('{"cost":\\$').matches('{"cost":$')).toBe(true)
    expect(matches('^{"path":"[^]x]*[^-x]"}$', { path: 'ab' })).toBe(true)
    expect(matches('^{"path":"[^]x]*[^-x]"}$', { path: 'a]b' })).toBe(false)
    expect(matches('^{"path":"[^]x]*[^-x]"}$', { path: 'a-' })).toBe(false)
    expect(compilePattern('^{"path":"(?:a|b)"}$').matches('{"path":"b"}')).toBe(true)
    expect(compilePattern('^{"path":"(?<name>a|b)"}$').matches('{"path":"a"}')).toBe(true)
  })

  it('CA-15: warns of a pattern without anchors, and matches it as a whole', () => {
    for (const pattern of ['{"path":"a"}', '^{"path":"a"}', '{"path":"a"}$']) {
      expect(compilePattern(pattern).warnings).toEqual([expect.stringContaining('not between ^ and $')])
      expect(matches(pattern, { path: 'a' })).toBe(true)
      expect(matches(pattern, { path: 'a', content: 'b' })).toBe(false)
    }
  })

  it.each(['npm test', 'git .*', '^"path":"a"$', '^x?y{"path":"a"}$', '(a+)+$', '^git status.*$', '[^{].+', '\\d+'])(
    'CA-15: loads %s with a warning that it can never match',
    pattern => {
      const { warnings, matches: covers } = compilePattern(pattern)
      expect(warnings[0]).toMatch(/does not begin with {, so it can never match/)
      expect(covers('{"command":"npm test"}')).toBe(false)
    },
  )

  it('warns of a pattern that repeats what repeats, and of one that lets any value through', () => {
    expect(compilePattern('^{"path":"(a+)+"}$').warnings).toEqual([expect.stringContaining('repeats')])
    expect(compilePattern('^{"command":".*"}$').warnings).toEqual([expect.stringContaining('any value')])
    expect(compilePattern('^{"path":"src/[^"]*"}$').warnings).toEqual([])
  })

  it.each(['(.*)', '.{1,}', '[ -~]*', '[^;]*', '.*', '.+', '(?:.|x)*', '[^\\n]+', '.?.*'])(
    'CA-15: warns of %s over a whole command line',
    any => {
      for (const more of ['', ',"timeout_seconds":5', '(?:,"timeout_seconds":\\d+)?'])
        expect(compilePattern(`^{"command":"${any}"${more}}$`).warnings).toContainEqual(
          expect.stringContaining("any value of 'command'"),
        )
    },
  )

  it.each(['\\w.*', '[a-z]* .*', '[a-z]+', '\\S+( \\S+)*', '[^r].*'])(
    'CA-15: warns of %s, which lets unrelated commands through',
    any => {
      expect(compilePattern(`^{"command":"${any}"}$`).warnings).toContainEqual(
        expect.stringMatching(/any value of 'command'|nothing in common/),
      )
    },
  )

  it.each([
    ['git .*', 'git '],
    ['git[^;]*', 'git'],
    ['npm (?:test|run) .+', 'npm run '],
    ['npm test(?: .*)?', 'npm test '],
  ])('CA-15: warns that %s covers every command that begins so', (command, start) => {
    const { warnings } = compilePattern(`^{"command":"${command}"}$`)
    expect(warnings).toEqual([`it covers every command that begins with '${start}'`])
  })

  it.each(['git log', 'git (?:log|status)', 'npm run [a-z]+', 'node test/[a-z/]*\\.js', '(?:rm|curl) x'])(
    'does not warn of %s',
    command => {
      expect(compilePattern(`^{"command":"${command}"}$`).warnings).toEqual([])
    },
  )

  it('CA-15: warns of repeated branches that match the same text', () => {
    for (const slow of ['(a|a)*b', '(?:a|aa)+b', '(?:\\w|x)*y', '(?:ab|c|abab){2,}z'])
      expect([slow, compilePattern(`^{"path":"${slow}"}$`).warnings]).toEqual([slow, [expect.stringContaining('slow')]])
    for (const quick of ['(?:ab|cd)*e', '(?:foo|far)+', '(?:a|a)b', '(?:a|a)?b'])
      expect([quick, compilePattern(`^{"path":"${quick}"}$`).warnings]).toEqual([quick, []])
  })

  it('warns within a moment, however often a pattern repeats', () => {
    const started = processorMs()
    const long = 'x'.repeat(400)
    for (const many of [`(?:(?:${long}){31}){31}`, '(?:(?:git .{1,30}){30}x){1}', '.{1000}', `(?:${long}|y){1000}`])
      expect(compilePattern(`^{"command":"${many}"}$`).warnings.length).toBeLessThan(3)
    expect(processorMs() - started).toBeLessThan(5_000)
  })

  it('knows a pattern that spells one text only', () => {
    for (const one of ['^{"command":"npm test && npm run lint"}$', '{"path":"a\\.txt"}', '^\\{"path":"a\\*b"\\}$'])
      expect([one, compilePattern(one).isLiteral]).toEqual([one, true])
    for (const many of ['a.c', 'a[bc]', 'ab*', 'ab+', 'ab?', '(?:a|b)', 'a\\w', 'a\\\\.*', 'a{2,3}']) {
      const pattern = `^{"path":"${many}"}$`
      expect([pattern, compilePattern(pattern).isLiteral]).toEqual([pattern, false])
    }
  })

  it('answers in linear time', () => {
    const started = processorMs()
    const canonical = canonicalJson({ path: 'a'.repeat(50_000) }, keys)
    expect(compilePattern('^{"path":"(?:(?:a|aa)+)+b"}$').matches(canonical)).toBe(false)
    expect(compilePattern('^{"path":"[^"]*"}$').matches(canonicalJson({ path: 'a'.repeat(300_000) }, keys))).toBe(false)
    expect(processorMs() - started).toBeLessThan(2_000)
  })
})

describe('canonicalJson', () => {
  it('CA-15: puts keys in the order of the schema, deeper ones sorted, undefined left out', () => {
    const input = { content: 'x', mode: undefined, path: 'a', edits: [{ old: 'b', new: 'c' }] }
    expect(canonicalJson(input, keys)).toBe('{"path":"a","content":"x","edits":[{"new":"c","old":"b"}]}')
  })

  it('refuses a key that the schema does not have', () => {
    expect(() => canonicalJson({ path: 'a', extra: 1 }, keys)).toThrow(/Unknown parameter 'extra'/)
    expect(() => canonicalJson(JSON.parse('{"__proto__":{"path":"src/a"},"path":"/etc/x"}'), keys)).toThrow(/__proto__/)
  })

  it('parses back to the same value', () => {
    fc.assert(
      fc.property(fc.record({ path: fc.string(), content: fc.jsonValue() }), input => {
        expect(JSON.parse(canonicalJson(input, keys))).toEqual(JSON.parse(JSON.stringify(input)))
      }),
    )
  })
})
