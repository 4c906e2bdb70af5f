import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ToolError } from '../../kernel/error.ts'
import { createRedactor } from './redact.ts'

const data = (name: string): string =>
  readFileSync(new URL(`../../../tests/data/attack/${name}`, import.meta.url), 'utf8')
const store: { readonly values: Readonly<Record<string, string>> } = JSON.parse(data('secret-store.json'))
const secrets = new Map(Object.entries(store.values))
const redactor = createRedactor(secrets)

interface Row {
  readonly id: string
  readonly class: string
  readonly expect: string
  readonly secret: string
  readonly transform?: string
  readonly output?: string
  readonly output_b64?: string
  readonly chunks_b64?: readonly string[]
  readonly invariant?: string
}
const rows = data('secrets.jsonl')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))
  .filter(row => row.output ?? row.output_b64 ?? row.chunks_b64)

const streamed = (chunks: readonly Buffer[], using = redactor): Buffer => {
  const stream = using.stream()
  return Buffer.concat([...chunks.map(chunk => stream.push(chunk)), stream.end()])
}

const chunksOf = (row: Row): Buffer[] =>
  row.chunks_b64?.map(chunk => Buffer.from(chunk, 'base64')) ?? [
    row.output_b64 === undefined ? Buffer.from(row.output ?? '') : Buffer.from(row.output_b64, 'base64'),
  ]

describe('the attack rows', () => {
  it.each(rows.filter(row => row.expect === 'redacted').map(row => [row.id, row] as const))(
    '%s: redacted',
    (_, row) => {
      const chunks = chunksOf(row)
      const whole = redactor.bytes(Buffer.concat(chunks))
      const text = whole.toString('latin1')
      expect(text).toMatch(/\[redacted:\w+\]/)
      expect(text.replace(/\[redacted:\w+\]/g, '').length).toBeLessThan(20)
      expect(streamed(chunks).equals(whole)).toBe(true)
      if (row.invariant === 'valid-json') expect(JSON.parse(text)).toEqual({ k: `[redacted:${row.secret}]`, n: 1 })
    },
  )

  // The last four characters are what people show on purpose; everything else of the best effort is redacted.
  const efforts = rows.filter(row => row.expect === 'best-effort' && row.transform !== 'last4')
  it.each(efforts.map(row => [row.id, row] as const))('%s: redacted though only best effort', (_, row) => {
    expect(redactor.text(row.output ?? '')).toBe(
      (row.output ?? '').startsWith('before') ? `before [redacted:${row.secret}] after` : `[redacted:${row.secret}]`,
    )
  })

  it('SE-0225: an empty value redacts nothing', () => {
    expect(redactor.text('anything')).toBe('anything')
  })

  it('SE-0227: the longest value counts', () => {
    expect(redactor.text('zq7Xv2LmN9pRt4Wb8Yc3')).toBe('[redacted:PLAIN_TOKEN]')
  })
})

const hex = (bytes: Buffer, before = '', after = ''): string =>
  Array.from(bytes, byte => before + byte.toString(16).padStart(2, '0') + after).join('')
const wrap = (text: string, width: number, line: string): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(line)
const units = (text: string): string[] =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const encodings: Readonly<Record<string, (value: string) => string>> = {
  raw: value => value,
  base64: value => Buffer.from(value).toString('base64'),
  'base64 after one byte': value => Buffer.from(`x${value}`).toString('base64').slice(1),
  'base64 after two bytes and before more': value => Buffer.from(`xy${value}zz`).toString('base64').slice(2),
  base64url: value => Buffer.from(value).toString('base64url'),
  'base64 wrapped with CRLF': value => wrap(Buffer.from(value).toString('base64'), 10, '\r\n'),
  'base64 wrapped and indented': value => wrap(Buffer.from(value).toString('base64'), 16, '\n    '),
  'base64 wrapped inside JSON': value => wrap(Buffer.from(value).toString('base64'), 16, '\\n'),
  'base64 inside a URL': value => encodeURIComponent(Buffer.from(value).toString('base64')),
  'base64 with escaped slashes': value => Buffer.from(value).toString('base64').replaceAll('/', '\\/'),
  'base64 of UTF-16': value => Buffer.from(value, 'utf16le').toString('base64'),
  hex: value => hex(Buffer.from(value)),
  'hex in capitals': value => hex(Buffer.from(value)).toUpperCase(),
  'hex with colons': value => hex(Buffer.from(value), '', ':').slice(0, -1),
  'hex as an array': value => hex(Buffer.from(value), '0x', ', ').slice(0, -2),
  'hex escapes': value => hex(Buffer.from(value), '\\x'),
  'hex of UTF-16LE': value => hex(Buffer.from(value, 'utf16le')),
  'hex of UTF-16BE': value => hex(swapped(value)),
  'bytes as JSON': value => Buffer.from(value).join(','),
  'octal escapes': value => Array.from(Buffer.from(value), byte => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  'URL component': encodeURIComponent,
  'every byte percent-encoded': value => hex(Buffer.from(value), '%'),
  'URL component in lower case': value => encodeURIComponent(value).replace(/%../g, code => code.toLowerCase()),
  'URL component twice': value => encodeURIComponent(encodeURIComponent(value)),
  form: value => new URLSearchParams({ v: value }).toString().slice(2),
  json: value => JSON.stringify(value).slice(1, -1),
  'json twice': value => JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
  'json in ASCII': value =>
    JSON.stringify(value)
      .slice(1, -1)
      .replace(/[^ -~]/g, character => `\\u${units(character)[0]}`),
  'json in ASCII twice': value => JSON.stringify(encodings['json in ASCII']?.(value)).slice(1, -1),
  'every character as \\u': value =>
    units(value)
      .map(unit => `\\u${unit}`)
      .join(''),
  html: value =>
    value.replace(
      /[&<>"']/g,
      character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? '&#39;',
    ),
  'html twice': value => value.replace(/[&<>"']/g, character => `&amp;#${character.charCodeAt(0)};`),
  'html numbers': value => Array.from(value, character => `&#${character.codePointAt(0)};`).join(''),
  'html hex': value => Array.from(value, character => `&#x${character.codePointAt(0)?.toString(16)};`).join(''),
  'single quotes in a shell': value => value.replaceAll("'", "'\\''"),
  'single quotes doubled': value => value.replaceAll("'", "''"),
  'backslashes before marks': value => value.replace(/[^\w\n\u0080-\uffff]/g, mark => `\\${mark}`),
  'quoted-printable': value => value.replace(/[^ -~]|=/g, character => hex(Buffer.from(character), '=').toUpperCase()),
  decomposed: value => value.normalize('NFD'),
  'split by colour': value => `${value.slice(0, 2)}\u001b[1;31m${value.slice(2, 7)}\u001b[0m${value.slice(7)}`,
  'split by escaped colour': value => `${value.slice(0, 6)}\\u001b[0m${value.slice(6)}`,
  'split by zero width': value => Array.from(value).join('\u200b'),
  'split by a line break': value => `${value.slice(0, 3)}\n${value.slice(3)}`,
  'split by a link': value => `${value.slice(0, 8)}\u001b]8;;http://x.test\u0007${value.slice(8)}`,
}

describe('encodings', () => {
  const long = [...secrets].filter(([, value]) => value.length >= 10)
  it.each(Object.entries(encodings))('%s', (_, encode) => {
    for (const [key, value] of long) {
      const text = `before ${encode(value)} after`
      const redacted = redactor.text(text)
      // SUB is the first half of PLAIN_TOKEN, so that either name is right.
      const names = key === 'SUB' ? '(?:SUB|PLAIN_TOKEN)' : key
      expect(redacted, `${key}: ${text}`).toMatch(new RegExp(`^before \\S{0,4}\\[redacted:${names}\\]\\S{0,5} after$`))
    }
  })

  it('UTF-16 bytes in both orders', () => {
    for (const [key, value] of long)
      for (const bytes of [Buffer.from(`<${value}>`, 'utf16le'), swapped(`<${value}>`)])
        expect(redactor.bytes(bytes).toString('latin1')).toMatch(
          new RegExp(`redacted:${key === 'SUB' ? '(SUB|PLAIN)' : key}`),
        )
  })

  it('SG-21: nothing else is touched', () => {
    const text = 'zq7Xv before, é 日本 \u001b[31mred\u001b[0m %20 \\n &amp; 4111 2222 tab\t ab1c cab1 QUJDREVG'
    expect(redactor.text(text)).toBe(text)
  })

  it('documented limits: what was reversed, shifted, spaced or compressed passes', () => {
    const value = secrets.get('PLAIN_TOKEN') ?? ''
    for (const text of [[...value].toReversed().join(''), [...value].join(' '), gzipSync(value).toString('base64')])
      expect(redactor.text(text)).toBe(text)
  })

  it('parts that give a value away: lines, the password of an address, either half', () => {
    expect(redactor.text('| QUJDREVGR0hJSktMTU5P |')).toBe('| [redacted:MULTI] |')
    expect(redactor.text('login with p@ss-W0rd failed')).toBe('login with [redacted:DB_URL] failed')
    expect(redactor.text('…pRt4Wb8Yc3')).toBe('…[redacted:PLAIN_TOKEN]')
    expect(redactor.text('connect to postgres://app on db.internal')).toBe('connect to postgres://app on db.internal')
  })
})

describe('short and odd values', () => {
  it('short values only as whole words, and single characters never', () => {
    const few = createRedactor(
      new Map([
        ['A', 'ab1'],
        ['B', 'x'],
        ['C', ''],
        ['D', '   '],
        ['E', '1234'],
      ]),
    )
    expect(few.text('ab1 cab1e ab1c x "ab1" 1234 91234')).toBe(
      '[redacted:A] cab1e ab1c x "[redacted:A]" [redacted:E] 9[redacted:E]',
    )
  })

  it('values without letters', () => {
    const odd = createRedactor(
      new Map([
        ['M', '!@#$%^&*()'],
        ['J', 'パスワード秘密鍵です'],
        ['P', "p'"],
      ]),
    )
    expect(odd.text('a !@#$%^&*() b %21%40%23%24%25%5E%26%2A%28%29')).toBe('a [redacted:M] b [redacted:M]')
    expect(odd.text('<パスワード秘密鍵です>')).toBe('<[redacted:J]>')
  })

  it('values with a line break at the end, as files have', () => {
    expect(createRedactor(new Map([['F', 'tok-91x8vb2k\n']])).text('tok-91x8vb2k.')).toBe('[redacted:F].')
  })

  it('keys never bring quotes into the text', () => {
    expect(createRedactor(new Map([['a"\\b', 'tok-91x8vb2k']])).text('"tok-91x8vb2k"')).toBe('"[redacted:a__b]"')
  })

  it('without secrets it is the identity and costs nothing', () => {
    const nothing = createRedactor(new Map([['EMPTY', '']]))
    const bytes = Buffer.from('x')
    const value = { a: 1 }
    expect(nothing.bytes(bytes)).toBe(bytes)
    expect(nothing.value(value)).toBe(value)
    expect(nothing.text('x')).toBe('x')
    expect(streamed([bytes], nothing).toString()).toBe('x')
  })
})

describe('json', () => {
  it('stays JSON wherever the secret stands', () => {
    const value = {
      a: secrets.get('GITHUB_API_KEY'),
      b: [4_111_222_233_334_444, secrets.get('JSONY')],
      c: { k: 'v-93jf8s7d' },
    }
    for (const indent of [0, 2]) {
      const redacted = redactor.text(JSON.stringify(value, null, indent))
      expect(() => JSON.parse(redacted)).not.toThrow()
      expect(redacted).not.toMatch(/4111222233334444|kJ8#q/)
    }
    expect(redactor.text('{"d":[122,113,55,88,118,50,76,109,78,57,112,82,116,52,87,98,56,89,99,51]}')).toBe(
      '{"d":["[redacted:PLAIN_TOKEN]"]}',
    )
  })

  it('stays JSON when a value begins or ends with what is escaped', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('"', '\\', 'n', 'u', '\n', 'a', '7', "'", '%', '&', 'é'),
          minLength: 5,
          maxLength: 12,
        }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const one = createRedactor(new Map([['K', `k${secret}`]]))
          expect(() => JSON.parse(one.text(JSON.stringify([`${before}k${secret}${after}`])))).not.toThrow()
        },
      ),
    )
  })
})

describe('value', () => {
  it('SG-21: redacts strings, keys, numbers, bytes and errors with their causes', () => {
    const token = secrets.get('PLAIN_TOKEN') ?? ''
    const kept = { fine: [1, 'text', null] }
    const value = {
      [token]: [`a ${token}`],
      n: 4_111_222_233_334_444,
      b: Buffer.from(token),
      m: new Map([[token, 1]]),
      kept,
    }
    const redacted = redactor.value<Record<string, unknown>>(value)
    expect(redacted).toEqual({
      '[redacted:PLAIN_TOKEN]': ['a [redacted:PLAIN_TOKEN]'],
      n: '[redacted:NUMERIC]',
      b: Buffer.from('[redacted:PLAIN_TOKEN]'),
      m: new Map([['[redacted:PLAIN_TOKEN]', 1]]),
      kept,
    })
    expect(redacted['kept']).toBe(kept)
    const error = redactor.value(new ToolError('io', `no ${token}`, { cause: new Error(token), details: { token } }))
    expect(error).toBeInstanceOf(ToolError)
    expect(error.code).toBe('io')
    expect([error.message, error.stack, String(error.cause), JSON.stringify(error.details)].join()).not.toContain(token)
  })
})

describe('streams', () => {
  const value = secrets.get('UNI') ?? ''
  const text = `ünïcödé ${value} 日本 ${Buffer.from(value).toString('base64')} \u001b[1m${secrets.get('PLAIN_TOKEN')} ${secrets.get('LONG')}é`

  it('gives the same as the whole, cut anywhere', () => {
    const bytes = Buffer.from(text.repeat(2))
    const whole = redactor.bytes(bytes)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), places => {
        const cuts = [0, ...places.toSorted((one, other) => one - other), bytes.length]
        const chunks = cuts.slice(1).map((cut, at) => bytes.subarray(cuts[at], cut))
        expect(streamed(chunks).toString()).toBe(whole.toString())
      }),
      { numRuns: process.env['TOOLWRIGHT_LONG'] ? 2000 : 60 },
    )
  })

  it('gives whole characters, and holds back only what may become a secret', () => {
    const stream = redactor.stream()
    let given = 0
    for (let line = 0; line < 200; line += 1) {
      const chunk = stream.push(Buffer.from('日本語のログ '.repeat(20)))
      expect(chunk.toString()).not.toContain('\ufffd')
      given += chunk.length
    }
    expect(200 * 20 * 19 - given).toBeLessThan(1500)
    expect(given + stream.end().length).toBe(200 * 20 * 19)
  })

  it('holds back no more than it must while a secret seems to begin again and again', () => {
    const stream = redactor.stream()
    const begun = Buffer.from(`zq7Xv2L${'\n'.repeat(500)}`)
    let given = 0
    for (let count = 0; count < 200; count += 1) given += stream.push(begun).length
    expect(given).toBeGreaterThan(199 * begun.length - 5000)
  })

  it('does not depend on the memory of a chunk after it returned', () => {
    const chunk = Buffer.from(`x ${secrets.get('PLAIN_TOKEN')?.slice(0, 10)}`)
    const stream = redactor.stream()
    const first = stream.push(chunk)
    chunk.fill(0)
    const rest = Buffer.concat([stream.push(Buffer.from('pRt4Wb8Yc3 y')), stream.end()])
    expect(first.toString() + rest.toString()).toBe('x [redacted:PLAIN_TOKEN] y')
  })
})

describe('many secrets in much text', () => {
  it('SE-0237: gives 10 MB without one of 100 secrets back as they are, without a copy, and finds the one that is there', () => {
    const many = new Map(
      Array.from({ length: 99 }, (_, at) => [`K${at}`, Buffer.from(`${at * 7919}-secret-${at}`).toString('base64url')]),
    )
    const loaded = createRedactor(many.set('PLAIN_TOKEN', secrets.get('PLAIN_TOKEN') ?? ''))
    const line =
      '2026-11-15T04:37:39.123Z INFO [worker-12] GET https://example.test/a?id=12345&x=%20 {"ok":true} src/app.ts:120\n'
    const bytes = Buffer.alloc(10 * 1024 * 1024, line)
    expect(loaded.bytes(bytes)).toBe(bytes)
    bytes.write(secrets.get('PLAIN_TOKEN') ?? '', 5_000_000)
    expect(loaded.bytes(bytes).indexOf('[redacted:PLAIN_TOKEN]')).toBe(5_000_000)
  })
})

describe('a text that came cut', () => {
  const value = 'Zq7xK2mPv9TrW4nLs8BdYf3H'
  const cut = createRedactor(new Map([['TOKEN', value]]))

  it.each([
    ['at its end', 'token = Zq7xK2m', 'token = [redacted:TOKEN]'],
    ['with dots after it', 'token = Zq7xK2m…', 'token = [redacted:TOKEN]…'],
    [
      'with a note after it',
      'Zq7xK2m [... omitted end of long line]',
      '[redacted:TOKEN] [... omitted end of long line]',
    ],
    ['with a count after it', 'Zq7xK2m\n… 90 more characters', '[redacted:TOKEN]\n… 90 more characters'],
    ['at its beginning', '8BdYf3H" # end', '[redacted:TOKEN]" # end'],
    ['with dots before it', '…8BdYf3H" # end', '…[redacted:TOKEN]" # end'],
    ['at both ends', '8BdYf3H, Zq7xK2m', '[redacted:TOKEN], [redacted:TOKEN]'],
  ])('%s shows no piece of the value', (_, text, shown) => {
    expect(cut.text(text)).toBe(shown)
    expect(cut.value({ [text]: [text] })).toEqual({ [shown]: [shown] })
  })

  it.each(['Zq7xK', 'f3H', 'a Zq7xK2m b', 'so 8BdYf3H it is'])('leaves %j, which says little', text => {
    expect(cut.text(text)).toBe(text)
  })

  it('redacts a part as the whole says, line by line', () => {
    const whole = Buffer.from(`a ${value.slice(0, 12)}\n${value.slice(12)} b\nc\n`)
    const part = (from: number, to: number) => cut.part(whole, from, to).toString()
    expect(part(0, whole.length)).toBe('a [redacted:TOKEN]\n[redacted:TOKEN] b\nc\n')
    expect(part(0, 6)).toBe('a [redacted:TOKEN]')
    expect(part(20, whole.length)).toBe('[redacted:TOKEN] b\nc\n')
    expect(part(28, whole.length)).toBe('b\nc\n')
  })
})
