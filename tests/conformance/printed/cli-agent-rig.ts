import { afterAll, beforeAll } from 'vitest'
import { cliAgent } from '../../../src/contracts/cli-agent/contract.ts'
import { wireForm, type WireForm } from '../../../src/kernel/wire-forms.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { timeless, type Options } from '../cli-agent/rig.ts'

const EVERYTHING = ['fs:read', 'fs:write', 'net', 'exec']

/** An answer as far as the facts look at it. */
export interface Answer {
  readonly success: boolean
  readonly output: string
  readonly files_affected: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly error: Readonly<Record<'code' | 'message' | 'suggestion', string>>
}

/** One workspace for all facts of a heading, in which everything is permitted unless a call says otherwise. */
export function sharedWorkspace(files: Readonly<Record<string, string | Buffer>> = {}) {
  let workspace: TemporaryWorkspace
  let kit: Toolkit
  const open = (options: Options = {}) => workspace.open({ permissions: EVERYTHING, ...options, contract: 'cli-agent' })
  beforeAll(async () => {
    workspace = temporaryWorkspace(files)
    kit = await open()
  })
  afterAll(() => workspace.remove())
  const call = async (tool: string, input: unknown, options?: Options): Promise<Answer> =>
    Object(timeless(await (options ? await open(options) : kit).call(tool, input)))
  return {
    get workspace() {
      return workspace
    },
    open,
    call,
    output: async (tool: string, input: unknown, options?: Options) => (await call(tool, input, options)).output,
    code: async (tool: string, input: unknown) => (await call(tool, input)).error?.code,
  }
}

export function described(name: string, form: WireForm = 'json') {
  const tool = cliAgent.tools.find(one => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return Object(wireForm(tool, form, cliAgent))
}

/** The parameters of a tool in the form in which the document prints them. */
export function parametersOf(name: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { properties, required = [] } = described(name).input
  return Object.fromEntries(
    Object.keys(properties).map(key => [key, { ...properties[key], required: required.includes(key) }]),
  )
}

/** Each printed field of each parameter as a fact of its own. */
export const fieldsOf = (printed: Readonly<Record<string, object>>): [string, string, unknown][] =>
  Object.entries(printed).flatMap(([name, fields]) =>
    Object.entries(fields).map(([key, value]): [string, string, unknown] => [name, key, value]),
  )
