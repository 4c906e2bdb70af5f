import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { superconnect } from '../../../src/contracts.ts'
import { wireForm } from '../../../src/kernel/wire-forms.ts'
import type { TemporaryWorkspace } from '../../../src/testing/temporary-workspace.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { FILES, shop } from './world.ts'

const open: TemporaryWorkspace[] = []
afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.remove()
})
const start = async (...args: Parameters<typeof shop>) => {
  const made = await shop(...args)
  open.push(made.workspace)
  return made
}
const KB = 1024
/** What a component has paid for its reads. */
const bytesOf = ({ workspace: { ledger } }: Toolkit, task = 'Button') =>
  ledger.usage({ task, tool: 'superconnect/readFile' }).bytes

describe('the schema of answers', () => {
  it('SC-17: has what each tool gives, and the error of the document', () => {
    for (const tool of superconnect.tools)
      expect(wireForm(tool, 'mcp', superconnect)).toMatchObject({
        outputSchema: {
          properties: {
            ...(tool.name === 'readFile' && { size_bytes: { type: 'integer' } }),
            error: { properties: { details: { type: 'object' } }, required: ['code', 'message'] },
          },
        },
      })
  })
})

describe('readFile', () => {
  it('SC-07: gives path, content, size, truncated and encoding', async () => {
    const { call } = await start()
    expect(await call('readFile', { path: 'src/theme/tokens.ts' })).toEqual({
      path: 'src/theme/tokens.ts',
      content: FILES['src/theme/tokens.ts'],
      size_bytes: 38,
      truncated: false,
      encoding: 'utf-8',
    })
  })

  it('SC-07: cuts at 100 KB, or at maxBytes, which is at most 500 KB', async () => {
    const { call } = await start({ 'big.txt': 'x'.repeat(300 * KB) })
    const read = async (maxBytes?: number) => call('readFile', { path: 'big.txt', ...(maxBytes && { maxBytes }) })
    expect(await read()).toMatchObject({ size_bytes: 300 * KB, truncated: true })
    expect((await read()).content).toHaveLength(100 * KB)
    expect((await read(10)).content).toBe('x'.repeat(10))
    expect(await read(500 * KB)).toMatchObject({ truncated: false })
    expect((await read(500 * KB + 1)).error.code).toBe('LIMIT_EXCEEDED')
  })

  it('SC-08: says of what it cannot give only what its own tools can do', async () => {
    const { call, workspace } = await start({ 'huge.txt': 'x'.repeat(500 * KB + 1) })
    writeFileSync(`${workspace.path}/latin.txt`, Buffer.from('caf\xe9\n', 'latin1'))
    writeFileSync(`${workspace.path}/data.bin`, Buffer.from([0, 1, 2, 0, 255]))
    const refused = async (path: string) => (await call('readFile', { path })).error
    for (const [path, code] of [
      ['huge.txt', 'FILE_TOO_LARGE'],
      ['latin.txt', 'BINARY_FILE'],
      ['data.bin', 'BINARY_FILE'],
    ] as const) {
      const { code: got, message } = await refused(path)
      expect(got).toBe(code)
      expect(message).toContain(path)
      expect(message).toMatch(/with queryIndex or listFiles$/)
      expect(message).not.toMatch(/encoding|search/i)
    }
  })

  it('SC-08: refuses what is too large, missing, or outside', async () => {
    const { call, workspace } = await start({ 'huge.txt': 'x'.repeat(500 * KB + 1), 'limit.txt': 'x'.repeat(500 * KB) })
    symlinkSync('/etc', `${workspace.path}/etc`)
    const code = async (path: string) => (await call('readFile', { path })).error?.code
    expect(await code('huge.txt')).toBe('FILE_TOO_LARGE')
    expect(await code('limit.txt')).toBeUndefined()
    expect(await code('none.ts')).toBe('FILE_NOT_FOUND')
    for (const path of [
      '../x',
      'a/../../x',
      'src/../limit.txt',
      '/etc/passwd',
      `${workspace.path}/limit.txt`,
      'etc/passwd',
      'a\0b',
      '',
    ])
      expect([path, await code(path)]).toEqual([path, 'INVALID_PATH'])
  })

  it('SC-09: runs at most 20 reads of a component at the same time, and the others after them', async () => {
    const { call } = await start(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}.txt`, `text ${at}`])),
    )
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => call('readFile', { path: `f${at}.txt` })))
    expect(answers.map(answer => answer.content)).toEqual(Array.from({ length: 30 }, (_, at) => `text ${at}`))
  })

  it('SC-09: lets the twenty-first wait for one of twenty, of whatever process, and another component go on', async () => {
    const { call, kit } = await start()
    const { ledger } = kit.workspace
    const scope = { task: 'Button', tool: 'superconnect/readFile' }
    const running = Array.from({ length: 19 }, () => ledger.reserve(scope, { calls: 1, bytes: 0 }, []))
    expect(await call('readFile', { path: 'README.md' })).toMatchObject({ size_bytes: 9 })
    running.push(ledger.reserve(scope, { calls: 1, bytes: 0 }, []))
    let isThrough = false
    const waiting = call('readFile', { path: 'README.md' }).finally(() => (isThrough = true))
    for (let at = 0; at < 5; at++)
      expect(await kit.call('readFile', { path: 'README.md' }, { task: 'Link' })).toMatchObject({ size_bytes: 9 })
    expect([isThrough, ledger.usage(scope).concurrent]).toEqual([false, 20])
    for (const lease of running.slice(0, 1)) ledger.settle(lease)
    expect(await waiting).toMatchObject({ size_bytes: 9 })
  })

  it('SC-10: gives 5 MB to a component, then says how much was read', async () => {
    const big = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`big${at}.txt`, 'x'.repeat(500 * KB)]))
    const { kit } = await start(big)
    const read = (at: number, more: object = {}, task = 'Button') =>
      kit.call('readFile', { path: `big${at}.txt`, maxBytes: 500 * KB, ...more }, { task })
    for (let at = 0; at < 10; at++) expect(await read(at)).toMatchObject({ size_bytes: 500 * KB })
    const refused = {
      error: {
        code: 'READ_BUDGET_EXCEEDED',
        message: "Cumulative read limit (5MB) exceeded for component 'Button'",
        details: {
          bytes_read: 5000 * KB,
          limit_bytes: 5 * KB * KB,
          files_read: 10,
          reset: 'toolwright budget reset Button',
        },
      },
    }
    expect(await read(10)).toEqual(refused)
    expect(await read(10)).toEqual(refused)
    // What is remembered costs nothing.
    expect(await read(3)).toMatchObject({ cached: true })
    expect(await read(10, { maxBytes: 120 * KB }, 'Link')).toMatchObject({ truncated: true })
  })

  it('SC-10: counts files, not calls, also in another process and from a ledger that was lost', async () => {
    const big = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`big${at}.txt`, 'x'.repeat(500 * KB)]))
    const { kit, workspace } = await start(big)
    for (const at of [0, 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 3])
      await kit.call('readFile', { path: `big${at}.txt`, maxBytes: 500 * KB, justification: 'All of them are needed' })
    await kit.close()
    for (const end of ['', '-wal', '-shm']) rmSync(kit.state.ledger + end, { force: true })
    const again = await workspace.open({ contract: 'superconnect', task: 'Button' })
    const read = (path: string, maxBytes: number) =>
      again.call('readFile', { path, maxBytes, justification: 'All of them are needed' })
    expect(await read('big0.txt', 20 * KB)).toMatchObject({ truncated: true })
    expect(await read('big10.txt', 500 * KB)).toMatchObject({
      error: { details: { bytes_read: 5020 * KB, files_read: 10 } },
    })
  })

  it('SC-10: charges a remembered file for what the component has not paid for, over all processes', async () => {
    const big = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`big${at}.txt`, 'x'.repeat(500 * KB)]))
    const { kit, workspace } = await start(big)
    const read = async (at: number, maxBytes: number, task = 'Button', by = kit) =>
      Object(await by.call('readFile', { path: `big${at}.txt`, maxBytes, justification: 'All of them' }, { task }))
    for (let at = 0; at < 11; at++) expect(await read(at, 1)).not.toHaveProperty('cached')
    for (let at = 0; at < 10; at++) expect(await read(at, 500 * KB)).toMatchObject({ truncated: false, cached: true })
    const refused = { error: { code: 'READ_BUDGET_EXCEEDED', details: { bytes_read: 5000 * KB + 1, files_read: 11 } } }
    expect(await read(10, 500 * KB)).toMatchObject(refused)
    expect(await read(10, 500 * KB)).toMatchObject(refused)
    // Bytes that were paid for stay free.
    for (const maxBytes of [1, 300 * KB, 500 * KB]) expect(await read(3, maxBytes)).toMatchObject({ cached: true })
    const another = await workspace.open({ contract: 'superconnect', task: 'Button' })
    expect(await read(10, 500 * KB, 'Button', another)).toMatchObject(refused)
    expect(bytesOf(kit)).toBe(5000 * KB + 1)
  })

  it('SC-10: charges each component for its first read of what another has read', async () => {
    const big = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`big${at}.txt`, 'x'.repeat(500 * KB)]))
    const { kit } = await start(big)
    const read = async (at: number, task: string) =>
      Object(await kit.call('readFile', { path: `big${at}.txt`, maxBytes: 500 * KB, justification: 'All' }, { task }))
    for (let at = 0; at < 10; at++) await read(at, 'Button')
    await read(10, 'Icon')
    for (let at = 0; at < 10; at++) expect(await read(at, 'Link')).toMatchObject({ cached: true })
    expect(bytesOf(kit, 'Link')).toBe(5000 * KB)
    expect(await read(10, 'Link')).toMatchObject({ error: { code: 'READ_BUDGET_EXCEEDED' } })
  })

  it('SC-10: charges for another content as if it were another file, and anew after the budget is given back', async () => {
    const { kit, call, workspace } = await start({ 'a.txt': 'a'.repeat(1000) })
    const read = (maxBytes: number) => call('readFile', { path: 'a.txt', maxBytes })
    await read(1000)
    workspace.write('a.txt', 'b'.repeat(1000))
    await read(10)
    expect(bytesOf(kit)).toBe(1010)
    expect(await read(1000)).toMatchObject({ content: 'b'.repeat(1000), cached: true })
    expect(bytesOf(kit)).toBe(2000)
    kit.workspace.ledger.giveBack('Button', () => {})
    expect(await read(400)).toMatchObject({ cached: true })
    expect(bytesOf(kit)).toBe(400)
  })

  it('SC-10, SC-18: remembers a file whole, and serves every maxBytes from it for the bytes that are new', async () => {
    const { call, kit } = await start({ 'a.txt': 'ä'.repeat(1000) })
    expect(await call('readFile', { path: 'a.txt', maxBytes: 11 })).toMatchObject({
      content: 'ä'.repeat(5),
      truncated: true,
    })
    expect(bytesOf(kit)).toBe(10)
    for (const [maxBytes, length, charged] of [
      [21, 10, 20],
      [5000, 1000, 2000],
      [100, 50, 2000],
      [11, 5, 2000],
    ] as const) {
      expect(await call('readFile', { path: 'a.txt', maxBytes })).toMatchObject({
        content: 'ä'.repeat(length),
        size_bytes: 2000,
        truncated: length !== 1000,
        cached: true,
      })
      expect(bytesOf(kit)).toBe(charged)
    }
  })

  it('SC-18: remembers what it read until something in the repository changes', async () => {
    const { call, workspace } = await start()
    const read = () => call('readFile', { path: 'src/theme/tokens.ts' })
    expect(await read()).not.toHaveProperty('cached')
    expect(await read()).toMatchObject({ content: FILES['src/theme/tokens.ts'], cached: true })
    workspace.write('src/other.ts', 'export const other = 1\n')
    expect(await read()).not.toHaveProperty('cached')
    expect(await read()).toMatchObject({ cached: true })
    workspace.write('src/theme/tokens.ts', 'export const tokens = { red: "#e00" }\n')
    expect(await read()).toMatchObject({ content: expect.stringContaining('#e00') })
  })

  it('SC-18: remembers it for the session that read it, and for no other', async () => {
    const { call, workspace } = await start()
    const input = { path: 'src/theme/tokens.ts' }
    await call('readFile', input)
    const other = await workspace.open({ contract: 'superconnect', task: 'Button' })
    expect(await other.call('readFile', input)).not.toHaveProperty('cached')
    for (const read of [call('readFile', input), other.call('readFile', input)])
      expect(await read).toMatchObject({ cached: true })
  })

  it('SC-18: remembers it through changes in files that may not be read, and so tells nothing of them', async () => {
    const rules = { rules: [{ action: 'read', path: 'src/secret.ts', verdict: 'deny' }] }
    const { call, workspace } = await start({ ...FILES, 'toolwright.json': JSON.stringify({ policy: rules }) })
    const read = () => call('readFile', { path: 'src/theme/tokens.ts' })
    expect(await read()).not.toHaveProperty('cached')
    for (const text of ['export const secret = 1\n', 'export const secret = 2\n']) {
      workspace.write('src/secret.ts', text)
      expect(await read()).toMatchObject({ cached: true })
    }
    workspace.write('src/other.ts', 'export const other = 1\n')
    expect(await read()).not.toHaveProperty('cached')
  })
})

describe('listFiles', () => {
  it('SC-11: lists one level with types, sizes of files alone, and the total before the limit', async () => {
    const { call } = await start()
    expect(await call('listFiles', { directory: 'src' })).toEqual({
      directory: 'src',
      files: [
        { name: 'components', path: 'src/components', type: 'directory' },
        { name: 'theme', path: 'src/theme', type: 'directory' },
      ],
      total: 2,
      truncated: false,
    })
    expect(await call('listFiles', { directory: 'src/components', pattern: '*.{tsx,jsx}', limit: 1 })).toEqual({
      directory: 'src/components',
      files: [{ name: 'Button.tsx', path: 'src/components/Button.tsx', type: 'file', size_bytes: 168 }],
      total: 2,
      truncated: true,
    })
  })

  it('SC-11: lists a link to a directory as a directory, and no place outside as one', async () => {
    const { call, workspace } = await start({ 'real/a.ts': 'a\n', 'links/b.ts': 'b\n' })
    const link = (target: string, name: string) => symlinkSync(target, `${workspace.path}/links/${name}`)
    link('../real', 'inside')
    link('inside', 'twice')
    link('../real/a.ts', 'file')
    link('/etc', 'outside')
    link('nowhere', 'broken')
    link('circle', 'circle')
    const { files } = Object(await call('listFiles', { directory: 'links' }))
    expect(files.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
      ['b.ts', 'file'],
      ['broken', 'file'],
      ['circle', 'file'],
      ['file', 'file'],
      ['inside', 'directory'],
      ['outside', 'file'],
      ['twice', 'directory'],
    ])
  })

  it('SC-11: gives 50 unless told, and at most 100', async () => {
    const { call } = await start(Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`d/f${at}`, ''])))
    expect((await call('listFiles', { directory: 'd' })).files).toHaveLength(50)
    expect((await call('listFiles', { directory: 'd', limit: 100 })).files).toHaveLength(100)
    expect((await call('listFiles', { directory: 'd', limit: 101 })).error.code).toBe('LIMIT_EXCEEDED')
  })

  it('SC-12: allows ten calls to a component, and names what is missing or outside', async () => {
    const { call, kit } = await start()
    const code = async (directory: string) => (await call('listFiles', { directory })).error?.code
    expect(await code('none')).toBe('DIRECTORY_NOT_FOUND')
    expect(await code('README.md')).toBe('DIRECTORY_NOT_FOUND')
    for (const directory of ['../x', '/etc', 'src/../..']) expect(await code(directory)).toBe('INVALID_DIRECTORY')
    for (let at = 0; at < 8; at++) expect(await code('src')).toBeUndefined()
    expect(await call('listFiles', { directory: 'src' })).toEqual({
      error: {
        code: 'LIST_BUDGET_EXCEEDED',
        message: "Too many list operations (10) for component 'Button'",
        details: { list_calls: 10, limit_calls: 10, reset: 'toolwright budget reset Button' },
      },
    })
    expect(await kit.call('listFiles', { directory: 'src' }, { task: 'Link' })).toMatchObject({ total: 2 })
  })

  it('SC-10, SC-12: a session that names no component has budgets of its own, and metrics as default', async () => {
    const { workspace } = await start()
    const list = (kit: Toolkit) => kit.call('listFiles', { directory: 'src' })
    const codes: unknown[] = []
    for (const session of [1, 2]) {
      const kit = await workspace.open({ contract: 'superconnect' })
      for (let at = 0; at < 10; at++) expect(await list(kit)).toMatchObject({ total: 2 })
      const { error } = Object(await list(kit))
      codes.push(error.code)
      expect(error.message).toBe("Too many list operations (10) for component 'default'")
      const [, , , account] = String(error.details.reset).split(' ')
      expect(account).toMatch(/^default\/\w+$/)
      kit.workspace.ledger.giveBack(String(account), () => {})
      expect(await list(kit)).toMatchObject({ total: 2 })
      const lines = workspace.read('superconnect/default/tool-metrics.jsonl').trimEnd().split('\n')
      expect(lines).toHaveLength(session * 12)
      await kit.close()
    }
    expect(codes).toEqual(['LIST_BUDGET_EXCEEDED', 'LIST_BUDGET_EXCEEDED'])
  })
})
