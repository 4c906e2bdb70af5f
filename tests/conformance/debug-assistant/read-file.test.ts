import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { debugAssistant } from '../../../src/contracts.ts'
import { ToolError } from '../../../src/kernel/error.ts'
import { diskError } from '../../../src/machine/workspace/disk-error.ts'
import { temporaryWorkspace } from '../../../src/testing/index.ts'
import { openToolkit } from '../../../src/toolkit.ts'
import { defineTool } from '../../../src/engines/engines.ts'
import { z } from 'zod'
import { failure, rigWith } from './rig.ts'

/** The document's own example: five lines from line 40 on, where the file ends before the last line that is asked for. */
const FETCH =
  'export async function fetchUserData(userId: string) {\n  const response = await fetch(`/api/users/${userId}`);\n  const data = await response.json();\n  return data.users.map(u => u.name);\n}'

describe('read_file', () => {
  it('DA-04: answers the example of the document as it is printed', async () => {
    const text = `${'//\n'.repeat(39)}${FETCH}\n`
    await using rig = await rigWith({ 'src/api/user.ts': text })
    expect(await rig.call('read_file', { filePath: 'src/api/user.ts', lineStart: 40, lineEnd: 55 })).toStrictEqual({
      success: true,
      data: { filePath: 'src/api/user.ts', content: FETCH, lineCount: 5, encoding: 'utf-8', fileSize: text.length },
    })
    await using empty = await rigWith({})
    expect(await empty.call('read_file', { filePath: 'src/api/user.ts' })).toStrictEqual(
      failure('FILE_NOT_FOUND', "File 'src/api/user.ts' does not exist in workspace"),
    )
  })

  it('DA-04: names encodings that the schema takes, and not the one that was tried', async () => {
    await using rig = await rigWith({
      'a.txt': 'caf\u00e9\n',
      'b.txt': Buffer.from('caf\u00e9\n', 'latin1'),
      'c.txt': 'odd',
    })
    const message = async (more: object) => Object(await rig.call('read_file', more)).error.message
    const first = await message({ filePath: 'a.txt', encoding: 'ascii' })
    expect(first).toMatch(/Pass the encoding it is really in \(utf-8, utf-16\)\.$/)
    for (const more of [{}, { encoding: 'utf-8' }])
      expect(await message({ filePath: 'b.txt', ...more })).toMatch(
        /is not valid UTF-8.*\. Convert it to UTF-8 first\.$/,
      )
    expect(await message({ filePath: 'c.txt', encoding: 'utf-16' })).toMatch(/really in \(utf-8, ascii\)\.$/)
  })

  it('DA-04: advises nothing that only another tool could do', async () => {
    await using rig = await rigWith({ 'src/a.txt': 'a'.repeat(10 * 1024 * 1024 + 1) })
    const message = async (filePath: string) => Object(await rig.call('read_file', { filePath })).error.message
    expect(await message('src')).toBe("'src' is a directory. Name a file")
    expect(await message('src/a.txt')).toMatch(/at most 10485760\. Ask about a smaller file$/)
  })

  it('DA-04: gives a whole file as it is, and ranges without the end of their last line', async () => {
    await using rig = await rigWith({ 'a.txt': 'one\r\ntwo\r\nthree', 'empty.txt': '' })
    const read = async (more: object, filePath = 'a.txt') =>
      Object(await rig.call('read_file', { filePath, ...more })).data
    expect(await read({})).toMatchObject({ content: 'one\r\ntwo\r\nthree', lineCount: 3, fileSize: 15 })
    expect(await read({ lineStart: 2 })).toMatchObject({ content: 'two\r\nthree', lineCount: 2 })
    expect(await read({ lineEnd: 2 })).toMatchObject({ content: 'one\r\ntwo', lineCount: 2 })
    expect(await read({}, 'empty.txt')).toMatchObject({ content: '', lineCount: 0, fileSize: 0 })
  })

  it('DA-04: reads the encodings that it names, and text by its own mark', async () => {
    const wide = Buffer.from('\ufeffžluť\n', 'utf16le')
    await using rig = await rigWith({ 'wide.txt': wide, 'plain.txt': 'plain\n', 'utf.txt': 'žluť\n' })
    const read = (filePath: string, encoding?: string) => rig.call('read_file', { filePath, encoding })
    for (const encoding of [undefined, 'utf-16'])
      expect(await read('wide.txt', encoding)).toMatchObject({
        success: true,
        data: { content: 'žluť\n', encoding: 'utf-16', fileSize: wide.length },
      })
    expect(await read('plain.txt', 'ascii')).toMatchObject({ data: { content: 'plain\n', encoding: 'ascii' } })
    expect(await read('utf.txt', 'ascii')).toMatchObject({ error: { code: 'INVALID_PARAMETERS' } })
    expect(await read('utf.txt', 'latin-1')).toMatchObject({ error: { code: 'INVALID_PARAMETERS' } })
  })

  it('DA-01: ignores keys that its schema does not name, as the schemas of the document do', async () => {
    await using rig = await rigWith({ 'a.txt': 'one\n' })
    expect(await rig.call('read_file', { filePath: 'a.txt', reason: 'to see it' })).toMatchObject({ success: true })
    expect(await rig.call('get_code_context', { filePath: 'a.txt', line: 1, why: 1 })).toMatchObject({ success: true })
  })

  it.each(['EACCES', 'EPERM', 'EROFS'])('DA-04: calls it permission where the system answers %s', errno => {
    const refused = diskError(Object.assign(new Error(errno), { code: errno }), 'closed.txt')
    if (!(refused instanceof ToolError)) throw new Error('no error of ours')
    const meta = { id: '', startedAt: '', endedAt: '', durationMs: 0, claims: [], changed: [] }
    const call = { name: 'read_file', input: { filePath: 'closed.txt' } }
    expect(debugAssistant.envelope(call, { ok: false, error: refused, meta })).toStrictEqual(
      failure('PERMISSION_DENIED', expect.stringContaining('closed.txt')),
    )
  })

  it('DA-04: names binary data, and what may not be read', async () => {
    await using rig = await rigWith(
      { 'data.bin': '\0\x01', 'latin.txt': Buffer.from([0x7a, 0xe9, 0x0a]), 'secret/key': 'x', 'src/a': '' },
      { policy: { rules: [{ action: 'read', path: 'secret/**', verdict: 'deny' }] } },
    )
    mkdirSync(join(rig.workspace.base, 'outside'))
    writeFileSync(join(rig.workspace.base, 'outside/x'), 'x')
    symlinkSync('../outside', join(rig.workspace.path, 'out'))
    const read = async (filePath: string) => Object(await rig.call('read_file', { filePath }))
    expect((await read('data.bin')).error.code).toBe('BINARY_FILE')
    expect((await read('latin.txt')).error.code).toBe('BINARY_FILE')
    expect((await read('src')).error.code).toBe('FILE_NOT_FOUND')
    for (const path of ['secret/key', '../outside/x', 'out/x', '/etc/passwd'])
      expect([path, (await read(path)).error.code]).toEqual([path, 'PERMISSION_DENIED'])
  })
})

describe('the interface', () => {
  it('DA-01: a violation is INVALID_PARAMETERS before any work', async () => {
    await using rig = await rigWith({ 'a.txt': 'one\n' })
    for (const parameters of [
      { filePath: 123 },
      {},
      { filePath: 'a.txt', lineStart: 0 },
      { filePath: 'a.txt', lineStart: 1.5 },
      { filePath: 'a.txt', lineStart: 3, lineEnd: 2 },
      { filePath: 'a.txt', lineStart: 7 },
    ])
      expect(await rig.call('read_file', parameters)).toStrictEqual(
        failure('INVALID_PARAMETERS', expect.stringMatching(/./)),
      )
  })

  it('DA-01: that holds for every tool: what is missing, of another type or out of range', async () => {
    await using rig = await rigWith({ 'a.ts': 'export function one() {}\n' })
    for (const [tool, parameters] of [
      ['read_file', {}],
      ['get_code_context', {}],
      ['get_code_context', { filePath: 'a.ts' }],
      ['get_code_context', { filePath: 'a.ts', line: '1' }],
      ['get_code_context', { filePath: 'a.ts', line: 1, includeFunctionDef: 'no' }],
      ['find_callers_of_function', { functionName: 'one' }],
      ['find_callers_of_function', { filePath: 'a.ts' }],
      ['find_callers_of_function', { functionName: '', filePath: 'a.ts' }],
      ['find_callers_of_function', { functionName: 'one', filePath: 'a.ts', maxDepth: '2' }],
    ] as const)
      expect([tool, parameters, await rig.call(tool, parameters)]).toStrictEqual([
        tool,
        parameters,
        failure('INVALID_PARAMETERS', expect.stringMatching(/./)),
      ])
  })

  it('DA-02: results have success and data, or error with code and message, and nothing else', async () => {
    await using rig = await rigWith({ 'a.txt': 'one\n' })
    expect(Object.keys(Object(await rig.call('read_file', { filePath: 'a.txt' })))).toEqual(['success', 'data'])
    expect(await rig.call('no_such_tool', {})).toStrictEqual(
      failure('INVALID_PARAMETERS', expect.stringContaining('no_such_tool')),
    )
  })

  it('DA-03: a timeout is TOOL_TIMEOUT, and an unexpected exception is INTERNAL_ERROR', async () => {
    await using rig = await rigWith({}, { timeouts: { 'debug-assistant/sleep': 20 }, tools: ['debug-assistant/*'] })
    const kit = await openToolkit({
      root: rig.workspace.path,
      env: rig.workspace.env,
      config: join(rig.workspace.base, 'config.json'),
      contract: { ...debugAssistant, tools: [...debugAssistant.tools, sleep, fail] },
    })
    expect(await kit.call('sleep', {})).toStrictEqual(failure('TOOL_TIMEOUT', expect.stringContaining('0.02 s')))
    expect(await kit.call('fail', {})).toStrictEqual(failure('INTERNAL_ERROR', expect.stringMatching(/./)))
    await kit.close()
  })

  it('DA-03: every tool is given up after 2 s', async () => {
    const tools = debugAssistant.tools.map(tool => ({ ...tool, run: sleep.run }))
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ contract: { ...debugAssistant, tools } })
    const answers = tools.map(({ name, examples: [example] }) => kit.call(name, example?.input))
    for (const answer of await Promise.all(answers))
      expect(answer).toStrictEqual(failure('TOOL_TIMEOUT', expect.stringContaining(' 2 s')))
  })
})

const nothing = { version: '1.0.0', effects: [], claims: () => [], examples: [{ input: {} }] } as const

const sleep = defineTool({
  ...nothing,
  name: 'sleep',
  description: 'Never answers',
  input: z.strictObject({}),
  output: z.strictObject({}),
  run: () => new Promise<never>(() => {}),
})

const fail = defineTool({
  ...nothing,
  name: 'fail',
  description: 'Has a defect',
  input: z.strictObject({}),
  output: z.strictObject({}),
  run() {
    throw new TypeError('a defect')
  },
})
