import { describe, expect, it } from 'vitest'
import { toolwright } from '../../contracts/toolwright/contract.ts'
import { inputSchema } from '../../kernel/json-schema.ts'
import { completedCommands } from './completion/completed-commands.ts'
import { helpFor } from './help.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { OWN_OUTPUT } from './tool-command/table.ts'
import { COMMON } from './usage.ts'

/** Parameters without an option of their name: the option that gives them, or how else they are given. */
const OTHERWISE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  grep: {
    pattern: 'the first argument',
    patterns: '--regexp',
    regex: '--fixed-strings',
    word: '--word-regexp',
    invert: '--invert-match',
    path: 'the arguments after the first',
    globs: '--glob',
    types: '--type',
    hidden: '--no-hidden',
    before: '--before-context',
    after: '--after-context',
    only: '--count',
  },
  find: { glob: 'the first argument', path: 'the second argument', hidden: '--no-hidden' },
  callers: { name: 'the argument', path: '--file', waitMs: '--wait' },
  graph: { query: 'the argument', diff: 'the arguments after diff', waitMs: '--wait' },
  index: { by: 'the first arguments', value: 'the last argument' },
  undo: { id: 'the argument' },
}

/** Every command takes it, and the last line of a complaint names it. */
const UNSAID = '--help'

const optionsOf = (name: string): readonly string[] =>
  Object.keys({ ...Object.entries(OWN_OPTIONS).find(([own]) => own === name)?.[1], ...COMMON }).map(
    option => `--${option}`,
  )

const dashed = (key: string): string => `--${key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

describe.each(OWN_OUTPUT)('%s', name => {
  const taken = optionsOf(name)

  it('gives every parameter of its tool', () => {
    const tool = toolwright.tools.find(one => one.name === name)
    const keys = Object.keys(Object(tool && inputSchema(tool)['properties']))
    const ways = OTHERWISE[name] ?? {}
    expect(keys).toEqual(expect.arrayContaining(Object.keys(ways)))
    const lost = keys.filter(key => {
      const way = ways[key] ?? dashed(key)
      return way.startsWith('--') && !taken.includes(way)
    })
    expect(lost).toEqual([])
  })

  it('has the same options in its parser, its help and the completion', async () => {
    const said = new Set(
      [...((await helpFor(name)) ?? '').matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option),
    )
    const completed = (await completedCommands()).find(command => command.name === name)?.options ?? []
    const all = taken.toSorted()
    expect([...said, UNSAID].toSorted()).toEqual(all)
    expect(completed.map(option => option.name).toSorted()).toEqual(all)
  })
})
