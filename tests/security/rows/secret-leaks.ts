import { inspect } from 'node:util'
import { z } from 'zod'
import { defineTool, type Engines } from '../../../src/engines/engines.ts'
import type { AnyTool } from '../../../src/kernel/contract.ts'
import type { Vault } from '../../../src/kernel/secret.ts'

/** A vault with these values in it, all of them known from the start. */
export const vaultWith = (values: ReadonlyMap<string, string>): Vault => ({
  get: async key => values.get(key),
  keys: async () => [...values.keys()],
})

/** A tool that notes the text it really gets, and answers what it is told to. */
export function probe(run: (text: string) => unknown): AnyTool<Engines> {
  return defineTool({
    name: 'probe',
    version: '1.0.0',
    description: 'Notes what it gets.',
    input: z.strictObject({ text: z.string() }),
    output: z.unknown(),
    effects: ['write'],
    claims: () => [],
    run: ({ text }) => run(text),
    examples: [],
  })
}

/** Which of the values shows in anything, hidden properties and causes included; a value of one or two characters is no evidence. */
export function leaked(values: ReadonlyMap<string, string>, ...shown: readonly unknown[]): string | undefined {
  const text = shown.map(item => (typeof item === 'string' ? item : deep(item))).join('\n')
  const found = [...values].find(
    ([, value]) => value.trim().length > 3 && spelled(value).some(form => text.includes(form)),
  )
  return found?.[0]
}

/** Which of the values shows in a text in any form that programs print; short forms stand in any text. */
export const printed = (values: ReadonlyMap<string, string>, text: string): string | undefined =>
  [...values].find(([, value]) => formsOf(value).some(form => form.length >= 8 && text.includes(form)))?.[0]

/** A value as programs print it, written down apart from the product's own list. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const wide = Buffer.from(value, 'utf16le')
  const coded = (each: (byte: number) => string) => Array.from(bytes, each).join('')
  const hex = (byte: number) => byte.toString(16).padStart(2, '0')
  // The first and last characters of base64 belong to the neighbours as well.
  const base64 = [0, 1, 2].flatMap(shift =>
    [bytes, wide].map(of =>
      Buffer.concat([Buffer.alloc(shift), of])
        .toString('base64')
        .slice(shift === 0 ? 0 : 4, -4),
    ),
  )
  return [
    value,
    value.normalize('NFD'),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    ...base64.flatMap(text => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
    ...[bytes.toString('hex'), wide.toString('hex')].flatMap(text => [text, text.toUpperCase()]),
    coded(byte => `\\x${hex(byte)}`),
    coded(byte => `%${hex(byte).toUpperCase()}`),
    Array.from(value, character => `&#${character.codePointAt(0)};`).join(''),
    Array.from(value, character => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join(''),
  ]
}

const deep = (item: unknown): string =>
  inspect(item, { depth: 50, showHidden: true, maxStringLength: null, maxArrayLength: null })

/** As it is, and as JSON and a JSON line inside JSON hold it. */
const spelled = (value: string): string[] => {
  const once = JSON.stringify(value).slice(1, -1)
  return [...new Set([value, once, JSON.stringify(once).slice(1, -1)])]
}
