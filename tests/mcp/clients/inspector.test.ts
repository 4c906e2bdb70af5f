import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import { calls, FILES, INSPECTOR, server } from './library.ts'

let workspace: TemporaryWorkspace
beforeAll(() => {
  workspace = temporaryWorkspace(FILES)
})
afterAll(() => workspace.remove())

/** What the Inspector prints, and its exit code. */
const inspect = (serverArgs: readonly string[], ...args: readonly string[]) => {
  const { command, args: mcp, cwd, env } = server(workspace, ...serverArgs)
  const words = [INSPECTOR, '--cli', command, ...mcp, ...args]
  return new Promise<{ code: unknown; printed: unknown; errors: string }>((resolve, reject) => {
    execFile(process.execPath, words, { cwd, env, maxBuffer: 1e8 }, (error, stdout, errors) => {
      if (stdout === '') reject(new Error(errors, { cause: error }))
      else resolve({ code: error?.code ?? 0, printed: JSON.parse(stdout), errors })
    })
  })
}
const call = (structured: string, name: string, ...pairs: readonly string[]) =>
  inspect(['--structured', structured], '--method', 'tools/call', '--tool-name', name, '--tool-arg', ...pairs)

describe("the Inspector's command line", () => {
  it('lists the tools, and finds no error in their schemas', async () => {
    const { code, printed, errors } = await inspect([], '--method', 'tools/list', '--strict')
    expect(printed).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'read' })]) })
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining('0 errors') })
  })

  it('calls a tool, and gets structured content besides the text', async () => {
    expect(await call('always', 'read', 'path=a.txt')).toMatchObject({
      code: 0,
      printed: {
        content: [{ type: 'text', text: expect.stringMatching(calls.read.text) }],
        structuredContent: { ok: true, data: { content: 'one\ntwo\n' } },
      },
    })
  })

  it('gets the text alone with --structured never', async () => {
    const { printed } = await call('never', 'read', 'path=a.txt')
    expect(printed).toEqual({ content: [{ type: 'text', text: expect.stringMatching(calls.read.text) }] })
  })

  it('prints a failure, and ends with the exit code of one', async () => {
    const { code, printed } = await call('always', 'read', 'path=missing.txt')
    expect(code).toBe(5)
    expect(printed).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(calls.readMissing.text) }],
    })
  })

  it('is refused an edit that needs approval, because it cannot show questions', async () => {
    const { edits } = calls.editOne.input
    const { printed } = await call('always', 'edit', 'path=a.txt', `edits=${JSON.stringify(edits)}`)
    expect(printed).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'rejected', message: expect.stringContaining('cannot show questions') } },
    })
    expect(workspace.read('a.txt')).toBe(FILES['a.txt'])
  })
})
