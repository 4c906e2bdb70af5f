import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findPlaceholders, reveal } from './placeholders.ts'

const data = (name: string): string =>
  readFileSync(new URL(`../../../tests/data/attack/${name}`, import.meta.url), 'utf8')
const store: { readonly values: Readonly<Record<string, string>> } = JSON.parse(data('secret-store.json'))
const secrets = new Map(Object.entries(store.values))

interface Row {
  readonly id: string
  readonly class: string
  readonly expect: string
  readonly input: string
  readonly result?: string | null
}
const rows = data('secrets.jsonl')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))
  .filter(row => row.class === 'inject' && !('stage' in row))

/** What a call would carry: the revealed text, or nothing where the key is refused. */
const injected = (input: string): string | undefined => {
  try {
    return reveal(input, secrets)
  } catch {
    return undefined
  }
}

describe('placeholders', () => {
  it.each(rows.map(row => [row.id, row] as const))('%s', (_, row) => {
    const text = injected(row.input)
    if (row.expect === 'inject') {
      expect(text).toBe(row.result?.replace(/\{(\w+)\}/, (__, key: string) => secrets.get(key) ?? ''))
      return
    }
    for (const value of secrets.values()) if (value.length > 0) expect(text ?? '').not.toContain(value)
  })

  it('SG-20: finds the keys of every string of a value, each once', () => {
    const value = { a: '$ENV.A and $ENV.B', b: ['$ENV.A', { c: 'x$ENV.C_1-y' }], n: 1, '$ENV.KEY': null }
    expect(findPlaceholders(value)).toEqual(['A', 'B', 'C_1'])
  })

  it('SG-20: puts values in place, in one pass', () => {
    const known = new Map([
      ['A', '$ENV.B'],
      ['B', '$& $1 "\n'],
    ])
    expect(reveal({ x: ['$ENV.A|$ENV.B$ENV.A'], n: 1 }, known)).toEqual({ x: ['$ENV.B|$& $1 "\n$ENV.B'], n: 1 })
  })

  it.each(['\\$ENV.A', '$$ENV.A', '${ENV.A}', '$ENV.', '$ENV.1A', '$env.A', '$ENV A', '＄ENV.A', '$ENV.\u200bA'])(
    'leaves %j exactly as written',
    text => {
      expect(findPlaceholders(text)).toEqual([])
      expect(reveal(text, new Map([['A', 'value']]))).toBe(text)
    },
  )

  it.each(['A_B', 'A\u200b', 'Aé', 'A\u0301', 'A1', 'a', 'A\u{e0041}', '__proto__', 'constructor', 'toString'])(
    'is an unknown key, never a shorter one: %j',
    key => {
      expect(findPlaceholders(`$ENV.${key}`)).toEqual([key])
      expect(() => reveal(`$ENV.${key}`, new Map([['A', 'value']]))).toThrow(
        expect.objectContaining({ code: 'unknown_secret', details: { key } }),
      )
    },
  )

  it('keeps own keys named __proto__ and leaves the input as it was', () => {
    const input: unknown = JSON.parse('{"__proto__": {"x": "$ENV.A"}, "$ENV.A": "y"}')
    const output = reveal(input, new Map([['A', 'value']]))
    expect(JSON.stringify(output)).toBe('{"__proto__":{"x":"value"},"$ENV.A":"y"}')
    expect(JSON.stringify(input)).toContain('"$ENV.A"}')
  })

  it('refuses a value that is nested without end', () => {
    let deep: unknown = '$ENV.A'
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    expect(() => findPlaceholders(deep)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })
})
