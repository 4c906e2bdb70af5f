import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Program } from './program.ts'

const FILES = readdirSync(import.meta.dirname).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))

/** Every entry of every table, with those inside it. */
function* entriesOf(name: string, program: Program): Generator<readonly [string, Program]> {
  yield [name, program]
  for (const [sub, entry] of program.subcommands ?? []) yield* entriesOf(`${name} ${sub}`, entry)
  for (const inner of ['otherwise', 'reading', 'narrow'] as const) {
    const entry = program[inner]
    if (entry) yield* entriesOf(`${name} (${inner})`, entry)
  }
}

const optionsOf = ({ flags = '', options = '', risky = '' }: Program): string[] => [
  ...Array.from(flags, letter => `-${letter}`),
  ...`${options} ${risky}`
    .split(/\s+/)
    .filter(token => token !== '')
    .map(token => /^.[^=@>!?#%$]*/.exec(token)?.[0] ?? token),
]

describe('the tables of programs', () => {
  it('define no option twice, since only the last would count', async () => {
    const modules = await Promise.all(FILES.map(name => import(`./${name}`)))
    const tables = modules.flatMap(module => Object.values<unknown>(module)).filter(value => value instanceof Map)
    const entries = tables.flatMap(table => [...table].flatMap(([name, program]) => [...entriesOf(name, program)]))
    expect(entries.length).toBeGreaterThan(200)
    const twice = entries.flatMap(([name, program]) => {
      const options = optionsOf(program)
      return options.filter((option, at) => options.indexOf(option) !== at).map(option => `${name} ${option}`)
    })
    expect(twice).toEqual([])
  })
})
