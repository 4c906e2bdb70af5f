import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CONTRACT_IDS, loadContract } from '../../src/contracts/load-contract.ts'
import * as autonomous from '../../src/documents/autonomous.ts'
import * as cliAgent from '../../src/documents/cli-agent.ts'
import * as debugAssistant from '../../src/documents/debug-assistant.ts'
import * as sage from '../../src/documents/sage.ts'
import * as superconnect from '../../src/documents/superconnect.ts'
import { openToolkit } from '../../src/toolkit.ts'
import { useProject } from './directory.ts'

const project = useProject({ 'a.txt': 'one\n' })
beforeEach(() => void vi.spyOn(process, 'cwd').mockImplementation(() => project.cwd))
afterEach(() => void vi.restoreAllMocks())

/** Fields that every document has a parameter for. */
const fields = (value: unknown) => ({ path: value, file: value, filePath: value, directory: value, query: value })
const refuse = (): never => {
  throw new Error('out of order')
}
const refuseOddly = (): never => {
  throw Object.create(null)
}
const throwing = Object.defineProperty({}, 'path', { enumerable: true, get: refuse })
const cyclic: Record<string, unknown> = fields(5)
cyclic['self'] = cyclic
const { proxy, revoke } = Proxy.revocable({}, {})
revoke()

/** No tool has parameters like these, not even one that needs none. */
const INPUTS: readonly (readonly [what: string, input: unknown])[] = [
  ['null', null],
  ['a number', 5],
  ['a bigint', 5n],
  ['a text', 'a.txt'],
  ['a Symbol', Symbol('x')],
  ['a function', refuse],
  ['a list', [{}]],
  ['fields that are Symbols', fields(Symbol('x'))],
  ['fields that are functions', fields(refuse)],
  ['a cyclic object', cyclic],
  ['a getter that throws', throwing],
  ['a getter that throws what is no Error', Object.defineProperty({}, 'path', { enumerable: true, get: refuseOddly })],
  ['a getter that throws, further in', fields([throwing])],
  ['a toJSON that throws', { ...fields(5), toJSON: refuse }],
  ['a proxy that throws', new Proxy({}, { get: refuse, ownKeys: refuse, getPrototypeOf: refuse })],
  ['a proxy that is revoked', proxy],
]

/** Calls as programs without types can. */
const attempt = async (work: unknown, on: unknown, ...given: readonly unknown[]): Promise<unknown> =>
  Reflect.apply(Object(work), on, given)

class Own extends debugAssistant.ToolBase {
  override readonly name = 'own'
  override readonly description = 'Reads'
  override readonly parameters = z.object({ path: z.string() })
  protected override executeInternal = async () => ({ success: true, data: 1 })
}

describe.each(INPUTS)('given %s as input', (_what, input) => {
  it('SG-22: execute and validate of sage fail with EVALIDATION', async () => {
    const context = { cwd: project.cwd, permissions: ['fs:read', 'fs:write', 'exec'] }
    const { createReadTool, createWriteTool, createEditTool, createBashTool, GraphQuery } = sage
    for (const tool of [createReadTool(), createWriteTool(), createEditTool(), createBashTool(), GraphQuery]) {
      expect(await attempt(tool.execute, tool, input, context)).toMatchObject({
        ok: false,
        error: { code: 'EVALIDATION', message: expect.stringMatching(/./) },
      })
      await expect(attempt(tool.validate, tool, input)).rejects.toMatchObject({ code: 'EVALIDATION' })
    }
  })

  it('AA-02: execute and executeTool of autonomous answer with an error', async () => {
    const ctx = { connection: async () => ({ baseUrl: 'http://127.0.0.1:9', repo: 'o/r' }), cwd: project.cwd }
    const error = expect.stringMatching(/./)
    const { createListFilesTool, createReadFileTool, createTodoManagerTool, createValidateOutputTool } = autonomous
    const tools = [createListFilesTool, createReadFileTool, createTodoManagerTool, createValidateOutputTool].map(make =>
      make(ctx as never, 'shop'),
    )
    for (const tool of tools) {
      expect(await attempt(tool.execute, tool, input)).toMatchObject({ error })
      expect(await attempt(autonomous.executeTool, undefined, tools, tool.name, input)).toMatchObject({ error })
    }
    expect(await attempt(autonomous.executeTool, undefined, tools, input, {})).toMatchObject({ error })
    expect(await attempt(autonomous.executeTool, undefined, input, 'read_file', {})).toMatchObject({ error })
    expect(await attempt(autonomous.executeTool, undefined, [input], 'read_file', {})).toMatchObject({ error })
  })

  it('CA-03: validate and execute of cli-agent answer with an error', async () => {
    const error = { code: expect.stringMatching(/./), message: expect.stringMatching(/./) }
    for (const tool of cliAgent.tools) {
      expect(await attempt(tool.validate, tool, input, project.cwd)).toMatchObject(error)
      expect(await attempt(tool.execute, tool, input, project.cwd)).toMatchObject({ success: false, error })
    }
  })

  it('DA-01: execute of debug-assistant fails with INVALID_PARAMETERS', async () => {
    const { FindCallersOfFunctionTool, GetCodeContextTool, ReadFileTool, VectorSearchDbTool, WebSearchWikiTool } =
      debugAssistant
    expect(await attempt(Own.prototype.execute, new Own(), input)).toMatchObject({
      success: false,
      error: { code: expect.stringMatching(/^(INVALID_PARAMETERS|INTERNAL_ERROR)$/), message: expect.any(String) },
    })
    for (const tool of [
      FindCallersOfFunctionTool,
      GetCodeContextTool,
      ReadFileTool,
      VectorSearchDbTool,
      WebSearchWikiTool,
    ])
      expect(await attempt(tool.execute, tool, input)).toMatchObject({
        success: false,
        error: { code: 'INVALID_PARAMETERS' },
      })
  })

  it('SC-17: the functions of superconnect answer with the error object', async () => {
    const error = { code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/./) }
    for (const call of [superconnect.queryIndex, superconnect.readFile, superconnect.listFiles]) {
      expect(await attempt(call, undefined, input, { cwd: project.cwd })).toMatchObject({ error })
      expect(await attempt(call, undefined, { path: 5 }, input)).toMatchObject({ error })
    }
  })

  it('run, call, check and checkCall of a kit answer', async () => {
    const kit = await openToolkit({ root: project.cwd })
    for (const contract of CONTRACT_IDS)
      for (const { name } of (await loadContract(contract)).tools.slice(0, 3)) {
        const ran = await attempt(kit.run, kit, name, input, { contract })
        expect(ran).toMatchObject({ outcome: { ok: false, error: { code: 'invalid_input' } } })
        expect(await attempt(kit.call, kit, name, input, { contract })).toBeTypeOf('object')
      }
    const unfit = { verdict: 'ask', error: { code: 'invalid_input' } }
    for (const name of ['read', 'write', 'patch']) {
      expect(await attempt(kit.check, kit, name, input)).toMatchObject(unfit)
      expect(await attempt(kit.checkCall, kit, name, input)).toMatchObject(unfit)
    }
    const unknown = { code: 'unknown_tool' }
    expect(await attempt(kit.run, kit, input, {})).toMatchObject({ outcome: { ok: false, error: unknown } })
    expect(await attempt(kit.check, kit, input, {})).toMatchObject({ error: unknown })
    expect(await attempt(kit.checkCall, kit, input, {})).toMatchObject({ error: unknown })
    expect(await attempt(kit.run, kit, 'read', { path: 'a.txt' }, { contract: Symbol('x') })).toMatchObject({
      outcome: { ok: false },
    })
    await kit.close()
  })
})
