import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { secretRows } from './rows/secrets.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8')
const { values }: { readonly values: Readonly<Record<string, string>> } = JSON.parse(
  read('../data/attack/secret-store.json'),
)
const run = secretRows({ values: new Map(Object.entries(values)), guide: read('../../docs/secrets.md') })
afterAll(() => run.close?.())

type Write = (value: string) => string

const bytes = (value: string): number[] => [...Buffer.from(value)]
const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
const base64: Write = value => Buffer.from(value).toString('base64')
const url: Write = value => encodeURIComponent(value).replaceAll(/[!'()*]/g, each => `%${hex(each.charCodeAt(0))}`)
const json: Write = value => JSON.stringify(value)
const between =
  (inserted: string): Write =>
  value =>
    `${value.slice(0, 5)}${inserted}${value.slice(5)}`

/** How a program may print a value; none of it may be left but scraps. */
const PRINTED: Readonly<Record<string, Write>> = {
  'a control sequence of one character': between('\u009b0m'),
  'a coloured one of one character': between('\u009b1;31m'),
  'a title of one character': between('\u009d0;title\u0007'),
  'a character that goes to the next line': between('\u0085'),
  'a colour of grep': value => `\u001b[01;31m\u001b[K${value.slice(0, 7)}\u001b[m\u001b[K${value.slice(7)}`,
  'colours between all characters': value => Array.from(value).join('\u001b[0m'),
  'a soft hyphen': between('\u00ad'),
  'a word joiner': between('\u2060'),
  'a change of direction': between('\u202e'),
  'a byte order mark': between('\ufeff'),
  'UTF-8 read as Latin-1': value => Buffer.from(value).toString('latin1'),
  'UTF-8 read as Windows-1252': value => new TextDecoder('windows-1252').decode(Buffer.from(value)),
  'JSON in a query of a URL': value => `https://h.test/x?q=${url(json(value))}`,
  'JSON in a query, encoded twice': value => url(url(json(value))),
  'JSON as entities': value => json(value).replaceAll(/["&<>\\]/g, each => `&#x${hex(each.charCodeAt(0))};`),
  'bytes of Python': value =>
    `b'${bytes(value)
      .map(byte =>
        byte < 32 || byte > 126 || byte === 39 || byte === 92 ? `\\x${hex(byte)}` : String.fromCharCode(byte),
      )
      .join('')}'`,
  'a buffer as JSON': value => json(JSON.stringify(Buffer.from(value))),
  'numbers with blanks': value => bytes(value).join(' '),
  'hexadecimal with 0x and commas': value =>
    bytes(value)
      .map(byte => `0x${hex(byte)}`)
      .join(', '),
  'a dump of 60 digits a line': value => Buffer.from(value).toString('hex').replaceAll(/.{60}/g, '$&\n'),
  'base64 of a document': value => base64(json(value)),
  'base64 of a user and a password': value => base64(`user:${value}`),
  'base64 in Windows lines': value => base64(value).replaceAll(/.{8}/g, '$&\r\n'),
  'base64 as a data URL': value => `data:text/plain;base64,${base64(value)}`,
  'the body of a token': value => `eyJhbGciOiJub25lIn0.${Buffer.from(json(value)).toString('base64url')}.`,
  'UTF-16 in hexadecimal': value => Buffer.from(value, 'utf16le').swap16().toString('hex'),
  'escapes in braces': value => Array.from(value, each => `\\u{${each.codePointAt(0)?.toString(16)}}`).join(''),
  'a shell that exports it': value => `declare -x T="${value.replaceAll(/["\\$`]/g, '\\$&')}"`,
  CSV: value => `"${value.replaceAll('"', '""')}"`,
  'a pattern': value => value.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'),
  twice: value => value + value,
  'in a word': value => `x${value}9`,
}

const KEYS = ['PLAIN_TOKEN', 'GITHUB_API_KEY', 'DB_URL', 'UNI']

describe.each(KEYS)('%s', secret => {
  const value = values[secret] ?? ''

  it.each(Object.entries(PRINTED))('is hidden: %s', async (_, write) => {
    const row = { id: secret, class: 'own', expect: 'redacted', secret, output: `before ${write(value)} after` }
    const { ok, got } = await run(row)
    expect({ ok, got }).toEqual({ ok: true, got })
  })
})

const command = (line: string) => ({ call: { tool: 'bash', args: { command: line } } })
const parts = (expectation: string, ...all: readonly string[]) => ({ expect: expectation, parts: all })

const ROWS: Readonly<Record<string, object>> = {
  'a command that encodes it': { expect: 'redacted', ...command('printf %s $ENV.PLAIN_TOKEN | base64') },
  'a command that dumps it': {
    expect: 'redacted',
    ...command('printf %s "$ENV.PLAIN_TOKEN" | od -An -v -tx1 | tr -d " \\n"'),
  },
  'an environment that is encoded': { expect: 'redacted', ...command('env | base64 -w0') },
  'a trace of a shell': { expect: 'redacted', ...command('exec 2>&1; set -x; echo $ENV.PLAIN_TOKEN') },
  'a new file of another tool': {
    expect: 'policy',
    call: { tool: 'create_file', args: { path: 'a', content: '$ENV.UNI' } },
  },
  'an edit': { expect: 'policy', call: { tool: 'edit', args: { path: 'a', old: 'x', new: '$ENV.PLAIN_TOKEN' } } },
  'a header of a request': {
    expect: 'policy',
    call: { tool: 'fetch', args: { url: 'https://x.test/', headers: { Authorization: 'Bearer $ENV.PLAIN_TOKEN' } } },
  },
  'a pattern of a search': { expect: 'not-injected', call: { tool: 'find', args: { pattern: '*$ENV.PLAIN_TOKEN*' } } },
  'a key of JSON': {
    expect: 'redacted',
    secret: 'GITHUB_API_KEY',
    output: JSON.stringify({ [values['GITHUB_API_KEY'] ?? '']: 1 }),
    invariant: 'valid-json',
  },
  'a number of JSON': {
    expect: 'redacted',
    secret: 'NUMERIC',
    output: '{"n":[4111222233334444,1]}',
    invariant: 'valid-json',
  },
  'the header of a key': { expect: 'unchanged', secret: 'MULTI', output: '-----BEGIN FAKE KEY-----' },
  'a short value in a word': { expect: 'unchanged', secret: 'SHORT', output: 'cab12 table1' },
  'an authorization in JSON in JSON': parts(
    'detected',
    String.raw`{\"Authorization\":\"Ba`,
    'sic dXNlcjpwYXNzMTIzNHdvcmQ=\\"}',
  ),
  'a token of CircleCI': parts('detected', 'CCIP', `AT_Xq4LmN9pRt4Wb8Yc3zq7Xv_${'7f3a90c1'.repeat(5)}`),
  'a token of Braintree': parts('detected', 'access_token$pro', `duction$x8k2m4n6p0q1r3s5$${'7f3a90c1'.repeat(4)}`),
  'a token of Telegram': parts('detected', '182099438:A', 'AEYPftIJDt8rh7hDhhBpzgZ99jgwEmt53z'),
  'a word about authorization': parts('unchanged', 'authorization: basic knowledge'),
  'a key of another kind': parts('unchanged', 'CCIPAT_ begins a token'),
}

it.each(Object.entries(ROWS))('%s', async (id, row) => {
  const { ok, got } = await run({ id, class: 'own', expect: '', ...row })
  expect({ ok, got }).toEqual({ ok: true, got })
})
