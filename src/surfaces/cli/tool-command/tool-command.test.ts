import { describe, expect, it } from 'vitest'
import { toolwright } from '../../../contracts/toolwright/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { COMMANDS } from '../help.ts'
import { briefly, describeCommand, describeCommands, helpText } from './describe.ts'
import { OWN_OUTPUT, TOOL_COMMANDS } from './table.ts'

describe('the commands', () => {
  it('are every tool of our contract', async () => {
    const commands = await describeCommands()
    const tools = new Set([...commands.map(({ command }) => command.tool), ...OWN_OUTPUT])
    expect([...tools].toSorted()).toEqual(toolwright.tools.map(({ name }) => name).toSorted())
  })

  it('have names of their own', () => {
    const names = Object.entries(TOOL_COMMANDS).flatMap(([name, { aliases = [] }]) => [name, ...aliases])
    const all = [...names, ...Object.keys(COMMANDS)]
    expect(new Set(all).size).toBe(all.length)
  })

  it('name in the table only parameters that the schema has', async () => {
    for (const { name, command, parameters } of await describeCommands()) {
      const options = parameters.map(({ option }) => option)
      expect([name, new Set(options).size]).toEqual([name, options.length])
      expect(options).toEqual(expect.arrayContaining([...command.positionals]))
      const keys = new Set(parameters.map(({ key }) => key))
      const hinted = [
        ...Object.keys(command.options ?? {}),
        ...Object.keys(command.placeholders ?? {}),
        ...(command.paths ?? []),
        ...(command.required ?? []),
        ...(command.here === undefined ? [] : [command.here]),
        ...(command.text ? [command.text.key] : []),
      ]
      for (const key of hinted) expect({ name, key, known: keys.has(key) }).toEqual({ name, key, known: true })
    }
  })

  it('have options from the schema: numbers with bounds, choices, flags, negations, seconds, lists and JSON', async () => {
    const kinds = async (name: string) =>
      Object.fromEntries(((await describeCommand(name))?.parameters ?? []).map(one => [one.option, one]))
    expect(await kinds('list')).toMatchObject({ depth: { kind: 'integer', least: 1, most: 20 }, all: { kind: 'flag' } })
    expect(await kinds('rename')).toMatchObject({
      'no-strict': { kind: 'negation', key: 'strict' },
      wait: { kind: 'seconds', key: 'waitMs', most: 600_000 },
      include: { kind: 'list', value: 'ID' },
      file: { key: 'path' },
    })
    expect(Object.keys(await kinds('rename'))).not.toContain('kind')
    expect(await kinds('edit')).toMatchObject({
      old: { item: 'edits' },
      edits: { kind: 'json' },
      match: { kind: 'choice' },
    })
    expect(await kinds('write')).toMatchObject({ 'content-file': { kind: 'file', key: 'content' } })
  })

  it('have a help that names every option', async () => {
    for (const described of await describeCommands()) {
      const help = helpText(described)
      for (const { option } of described.parameters) expect(help).toContain(`--${option}`)
      expect(Math.max(...help.split('\n').map(line => line.length))).toBeLessThanOrEqual(110)
    }
  })

  it('are described by their arguments and options, never by the parameters of JSON', async () => {
    for (const described of await describeCommands()) {
      const tool = toolwright.tools.find(one => one.name === described.command.tool)
      const keys = namesIn(tool && inputSchema(tool))
      const said = `${briefly(described).replaceAll('`', "'")}\n${helpText(described)}`
      const named = [...said.matchAll(/'(\w+)(?:: [^']*)?'/g)].map(([, key = '']) => key)
      expect([described.name, named.filter(key => keys.includes(key))]).toEqual([described.name, []])
    }
  })
})

/** The names of all parameters, those of items too. */
function namesIn(schema: unknown): readonly string[] {
  const { properties = {}, items } = Object(schema)
  return [...Object.keys(properties), ...Object.values(properties).flatMap(namesIn), ...(items ? namesIn(items) : [])]
}
