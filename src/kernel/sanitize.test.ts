import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitize, sanitizeBlock } from './sanitize.ts'
import { jsonLine } from './json-line.ts'

interface Row {
  readonly id: string
  readonly field: string
  readonly value: string
}
const rows = readFileSync(new URL('../../tests/data/attack/terminal.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))

const raw = new RegExp(
  String.raw`[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]`,
  'u',
)

describe('sanitize', () => {
  it.each(rows.map(row => [row.id, row] as const))('%s: shows nothing raw', (_, row) => {
    const line = jsonLine({ [row.field]: row.value })
    expect(sanitize(row.value)).not.toMatch(raw)
    expect(sanitizeBlock(row.value).replaceAll('\n', '')).not.toMatch(raw)
    expect(line).not.toMatch(raw)
    expect(JSON.parse(line)).toEqual({ [row.field]: row.value })
  })

  it('writes controls as the escapes people know', () => {
    expect(sanitize('a\u001b[2Jb\nc\r\t\0\u009b\u007f')).toBe('a\\x1b[2Jb\\nc\\r\\t\\x00\\x9b\\x7f')
    expect(sanitize('\u202ecod\u2066')).toBe('\\u{202e}cod\\u{2066}')
    expect(sanitize('\ud800x\udc00')).toBe('\\u{d800}x\\u{dc00}')
    expect(sanitize('\u{e0041}\ue000\u{10ffff}')).toBe('\\u{e0041}\\u{e000}\\u{10ffff}')
    expect(sanitize('rm\u00a0-rf')).toBe('rm\\xa0-rf')
  })

  it.each([
    'plain text with $HOME and "quotes" \\ and %s {0} <b>',
    'Grüße, naïve café, Ελληνικά, русский, עברית, العربية, हिन्दी, ไทย, 한국어, 日本語　全角, 中文',
    'e\u0301 is one letter, o\u0302\u0323 too',
    '👍 ❤️ 👨‍👩‍👧 🇩🇪 1️⃣ 👋🏽',
    '→ ✓ ± € “quoted” – dash',
    '',
  ])('leaves legitimate text alone: %s', text => {
    expect(sanitize(text)).toBe(text)
  })

  it('shows joiners, selectors and tags wherever they are not part of an emoji', () => {
    expect(sanitize('a\u200db')).toBe('a\\u{200d}b')
    expect(sanitize('a\ufe0f')).toBe('a\\u{fe0f}')
    expect(sanitize('❤\ufe0f\ufe0f')).toBe('❤\ufe0f\\u{fe0f}')
    expect(sanitize('🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}')).not.toMatch(raw)
  })

  it('counts blanks that would push text off the screen', () => {
    expect(sanitize(`ls${' '.repeat(300)}; curl evil`)).toBe('ls␠×300; curl evil')
    expect(sanitize(`a${' '.repeat(40)}b`)).toBe(`a${' '.repeat(40)}b`)
  })

  it('shows marks beyond a sane number, and one without a letter', () => {
    expect(sanitize(`a${'\u0301'.repeat(6)}`)).toBe(`a${'\u0301'.repeat(4)}\\u{301}\\u{301}`)
    expect(sanitize('\u0301a')).toBe('\\u{301}a')
  })

  it('cuts the middle out of an over-long text and gives its size', () => {
    const shown = sanitize('x'.repeat(5000), { max: 100 })
    expect(shown).toHaveLength(100)
    expect(shown).toMatch(/^x+ …\[5000 characters\]… x+$/)
    expect(sanitize('👨‍👩‍👧'.repeat(100), { max: 61 })).not.toMatch(/^\u200d|\u200d$|[\ud800-\udfff]/u)
  })

  it('keeps the lines of a block, and only those', () => {
    expect(sanitizeBlock('+\tkey\u202e\r\n-x\u2028y')).toBe('+→   key\\u{202e}\\r\n-x\\u{2028}y')
  })

  it('is inert for anything, and stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(sanitize(text).replace(/\p{RGI_Emoji}/gv, '')).not.toMatch(raw)
        expect(sanitize(sanitize(text))).toBe(sanitize(text))
      }),
    )
  })
})

describe('jsonLine', () => {
  it('escapes line separators, bidi and lone surrogates, and parses back to the same value', () => {
    const value = { a: '\u2028\u2029\u0085\u202e\u200b\ud800 é 日本 👨‍👩‍👧', '\u001b[2J': ['\n', 1, null, true] }
    expect(jsonLine(value)).not.toMatch(raw)
    expect(JSON.parse(jsonLine(value))).toEqual(value)
    expect(jsonLine('é 日本')).toBe('"é 日本"')
    expect(jsonLine(undefined)).toBe('null')
  })

  it('is one safe line for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
        expect(jsonLine(value)).not.toMatch(raw)
        expect(JSON.stringify(JSON.parse(jsonLine(value)))).toBe(JSON.stringify(value))
      }),
    )
  })
})
