import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRedactor } from './redact.ts'

const file = new URL('../../../tests/data/attack/secret-store.json', import.meta.url)
const { values }: { readonly values: Readonly<Record<string, string>> } = JSON.parse(readFileSync(file, 'utf8'))
const KEYS = ['PLAIN_TOKEN', 'GITHUB_API_KEY', 'DB_URL', 'UNI']
const redactor = createRedactor(new Map(KEYS.map(key => [key, values[key] ?? ''])))

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const percent = (text: string): string => hex(text).replaceAll(/../g, '%$&')
const units = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
const json = (text: string): string => JSON.stringify(text).slice(1, -1)
const apart = (text: string, count: number, by: string): string => piecesOf(text, count).join(by)
const piecesOf = (text: string, count: number): string[] => {
  const all = [...text]
  const size = Math.ceil(all.length / count)
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size).join(''))
}

const JOINS: Readonly<Record<string, string>> = {
  'two strings with a plus': '" + "',
  'single quotes with a plus': "' + '",
  'templates with a plus': '` + `',
  'a plus without blanks': '"+"',
  'a plus at the end of a line': '" +\n    "',
  'a plus at the beginning of a line': '"\n  + "',
  'a dot, as in PHP': '" . "',
  'two dots, as in Lua': '" .. "',
  'an ampersand, as in Basic': '" & "',
  'two bars, as in SQL': "' || '",
  'a comma, as in a list': '", "',
  'strings side by side, as in C and Python': '" "',
  'strings on lines of their own': '"\n  "',
  'quotes of a shell': `"'`,
  'empty quotes of a shell': `''`,
  'escaped quotes in JSON': '\\" + \\"',
  'a line that goes on': '\\\n',
  'a line that goes on, indented': '\\\n    ',
  'indented lines': '\n    ',
  'Windows lines': '\r\n  ',
  'lines with tabs': '\n\t',
  'added lines of a diff': '\n+',
  'removed lines of a diff': '\n-',
  'quoted lines of a mail': '\n> ',
  'comments of a shell': '\n# ',
  'comments of C': '\n// ',
  'lines of a block comment': '\n * ',
}

const NESTED: Readonly<Record<string, (text: string) => string>> = {
  'base64 of base64': text => base64(base64(text)),
  'base64 of base64 among other text': text => base64(`x:${base64(`u:${text}`)}`),
  'base64 of hexadecimal': text => base64(hex(text)),
  'base64 of upper hexadecimal': text => base64(hex(text).toUpperCase()),
  'base64 of percent encoding': text => base64(encodeURIComponent(text)),
  'base64 of JSON escapes': text => base64(units(text)),
  'base64 of a JSON document': text => base64(JSON.stringify({ key: text })),
  'hexadecimal of base64': text => hex(base64(text)),
  'hexadecimal of hexadecimal': text => hex(hex(text)),
  'percent encoding of base64': text => percent(base64(text)),
  'JSON escapes of base64': text => units(base64(text)),
  'base64 url-safe in base64': text => base64(Buffer.from(text).toString('base64url')),
  'base64 in two strings': text => apart(base64(text), 3, '" +\n  "'),
  'base64 in indented lines': text => apart(base64(text), 3, '\n      '),
  'hexadecimal in two strings': text => hex(text).replace(/^(.{20})/, '$1" + "'),
  'escaped bytes in two strings': text =>
    apart(hex(text).replaceAll(/../g, '\\x$&'), 1, '').replace(/^(.{32})/, '$1"\n"'),
  'escapes on two lines': text => apart(units(text), 1, '').replace(/^(.{36})/, '$1" +\n "'),
  'quoted-printable throughout': text => hex(text).toUpperCase().replaceAll(/../g, '=$&'),
  'wide characters': text => text.replaceAll(/[!-~]/g, each => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  'JSON in JSON': text => json(json(text)),
}

/** The longest piece of a text that is still there. */
function leftOf(text: string, shown: string): string {
  let left = ''
  for (let at = 0; at < text.length; at += 1)
    while (shown.includes(text.slice(at, at + left.length + 1)) && at + left.length < text.length)
      left = text.slice(at, at + left.length + 1)
  return left
}

describe.each(KEYS)('%s', key => {
  const value = values[key] ?? ''

  it.each(Object.entries(JOINS))('is redacted in pieces joined by %s', (_, by) => {
    for (const count of [2, 3]) {
      const written = apart(value, count, by)
      const shown = redactor.text(`const a = "${written}" after`)
      expect(shown).toContain(`[redacted:${key}]`)
      expect(leftOf(written, shown.replaceAll(/\[redacted:\w+\]/g, '\n')).length).toBeLessThanOrEqual(9)
      expect(shown.endsWith(' after')).toBe(true)
    }
  })

  it.each(Object.entries(NESTED))('is redacted in %s', (_, write) => {
    const written = write(value)
    const shown = redactor.text(`before ${written} after`)
    expect(shown).toContain(`[redacted:${key}]`)
    expect(leftOf(written, shown.slice(7, -6).replaceAll(/\[redacted:\w+\]/g, '\n')).length).toBeLessThan(
      written.length / 3,
    )
  })

  it('is redacted as a key, however it is written', () => {
    const forms = [value, `x-${value}`, json(value), base64(value), hex(value), encodeURIComponent(value), units(value)]
    for (const form of forms) {
      const shown = JSON.stringify(
        redactor.value({ [form]: 1, deep: [new Map([[form, { [form]: new Set([form]) }]])] }),
      )
      expect(shown).toContain('[redacted:')
      expect(shown).not.toContain(form)
    }
  })

  it('is redacted in what JSON writes of an object', () => {
    class Holder {
      readonly held = value
    }
    const url = new URL('https://host.test/')
    url.searchParams.set('t', value)
    for (const item of [new Holder(), url, new String(value), Buffer.from(value).toJSON(), [...value]]) {
      const shown = JSON.stringify(redactor.value({ item }))
      expect(shown).toContain('[redacted:')
    }
  })

  it('is redacted in a list of its pieces', () => {
    for (const count of [2, 3, 5]) {
      const shown = redactor.value(['before', ...piecesOf(value, count), 'after'])
      expect(shown.slice(1, -1).every(each => each === '' || each.includes('[redacted:'))).toBe(true)
      expect([shown.at(0), shown.at(-1)]).toEqual(['before', 'after'])
    }
  })
})

it('keeps two keys that become the same apart', () => {
  const value = values['PLAIN_TOKEN'] ?? ''
  expect(redactor.value({ [value]: 1, [base64(value)]: 2, a: 3 })).toEqual({
    '[redacted:PLAIN_TOKEN]': 1,
    '[redacted:PLAIN_TOKEN]#2': 2,
    a: 3,
  })
})

it('leaves texts and lists without a value as they are', () => {
  const lists = [
    ['zq7X', 'x', '9pRt4'],
    [1, 2, 3, 4, 5],
    ['"', ' + ', '"'],
    [new Date(0), new URL('https://a.test/')],
  ]
  expect(redactor.value(lists)).toBe(lists)
})
