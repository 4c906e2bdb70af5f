import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allContracts } from '../../src/contracts/load-contract.ts'
import type { AnyTool } from '../../src/kernel/contract.ts'
import { inputSchema } from '../../src/kernel/json-schema.ts'
import { COMMANDS } from '../../src/surfaces/cli/help.ts'
import { CALL_OPTIONS } from '../../src/surfaces/cli/usage.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

const contracts = await allContracts()
const parametersOf = (tool: AnyTool<never>): readonly string[] => namesIn(inputSchema(tool))

/** The names of all parameters, those of objects in it too. */
function namesIn(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn)
  if (typeof schema !== 'object' || schema === null) return []
  const own = Object.keys(Object(Reflect.get(schema, 'properties')))
  return [...own, ...Object.values(schema).flatMap(namesIn)]
}

const ALL_PARAMETERS = new Set(contracts.flatMap(({ tools }) => tools.flatMap(parametersOf)))
const OPTIONS = new Set([...Object.keys(CALL_OPTIONS), ...optionsIn(JSON.stringify(COMMANDS))])

function optionsIn(text: string): readonly string[] {
  return [...text.matchAll(/--([a-z][a-z-]+)/g)].map(([, option = '']) => option)
}

/** The parameters that a hint names: in backquotes, with a value behind them, or spelled as no word is. */
function parametersNamed(hint: string): readonly string[] {
  // What stands in quotes there are keys of that file.
  if (/\bconfiguration\b/.test(hint)) return []
  const marked = [...hint.matchAll(/`([a-zA-Z_]+)`|\b([a-zA-Z_]+): [\w'"[-]|"([a-zA-Z_]+)"/g)].flatMap(found =>
    found.slice(1).filter(name => name !== undefined),
  )
  const spelled = [...hint.matchAll(/\b[a-z]+(?:[A-Z]|_[a-z])\w*\b/g)].map(([name]) => name)
  return [...new Set([...marked, ...spelled])].filter(name => ALL_PARAMETERS.has(name))
}

/** Values that go wrong, whatever a parameter means. */
const WRONG: readonly unknown[] = [
  'missing.txt',
  'missing/below.txt',
  'directory',
  'data.bin',
  'latin.txt',
  'broken.txt',
  '../outside.txt',
  'ref:none',
  '(',
  '',
  'x\0y',
  999_999,
  0,
  -1,
  1.5,
  true,
  null,
  [],
  ['missing.txt'],
  {},
]

const FILES = {
  'a.txt': 'one\ntwo\n',
  'data.bin': Buffer.from([0, 1, 2, 255]),
  'latin.txt': Buffer.from('caf\xe9 one\n', 'latin1'),
  'broken.txt': Buffer.from('caf\xe9 \xc3\xa9 one\n', 'latin1'),
}

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace(FILES)
  mkdirSync(join(workspace.path, 'directory'))
})
afterEach(() => workspace.remove())

/** The inputs of a tool that go wrong in one place each. */
function wrongInputs(tool: AnyTool<never>): readonly object[] {
  return tool.examples.slice(0, 2).flatMap(({ input }) => {
    const given: Record<string, unknown> = Object(input)
    const names = Object.keys(Object(inputSchema(tool)['properties']))
    const without = Object.keys(given).map(left =>
      Object.fromEntries(Object.entries(given).filter(([name]) => name !== left)),
    )
    const wrong = names.flatMap(name => WRONG.map(value => ({ ...given, [name]: value })))
    const onData = names.flatMap(name =>
      ['data.bin', 'latin.txt', 'broken.txt'].map(value => ({ ...given, ...ALSO, [name]: value })),
    )
    return [...without, { ...given, surplus: 1 }, ...wrong, ...onData.filter(each => fits(tool, each))]
  })
}

/** What an edit of any contract is given, so that it comes as far as the text of the file. */
const ALSO = { edits: [{ old: 'one', new: 'ö' }], content: 'ö', expect: undefined }
const fits = (tool: AnyTool<never>, input: object): boolean => tool.input.safeParse(input).success

/** Tools that change nothing, or files alone: commands and hosts are not for a test of words. */
const isQuick = ({ effects }: AnyTool<never>): boolean => !effects.some(effect => effect === 'exec' || effect === 'net')

describe.each(contracts.map(contract => ({ id: contract.id, contract })))('the hints of $id', ({ contract }) => {
  it.each(contract.tools.filter(isQuick).map(tool => ({ name: tool.name, tool })))(
    '$name name only what it takes',
    async ({ tool }) => {
      const kit = await workspace.open({ contract: contract.id, permissions: ['fs:read', 'fs:write'] })
      const own = new Set(parametersOf(tool))
      const wrong: string[] = []
      let hints = 0
      for (const input of wrongInputs(tool)) {
        const { outcome } = await kit.run(tool.name, input, { waitMs: 0 })
        if (outcome.ok || outcome.error.hint === undefined) continue
        const { hint } = outcome.error
        hints++
        const named = parametersNamed(hint).filter(name => !own.has(name) && name !== tool.name)
        const options = optionsIn(hint).filter(option => !OPTIONS.has(option))
        if (named.length + options.length > 0) wrong.push(`${[...named, ...options].join(', ')}: ${hint}`)
      }
      expect(hints).toBeGreaterThan(0)
      expect([...new Set(wrong)]).toEqual([])
    },
  )
})
