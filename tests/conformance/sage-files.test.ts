import { appendFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEditTool, createReadTool, createWriteTool, type ToolContext } from '../../src/contracts.ts'
import { useProject } from './directory.ts'

const project = useProject({ 'src/a.ts': 'export const a = 1\n', 'README.md': '# Hello\n' })
const read = createReadTool()
const write = createWriteTool()
const edit = createEditTool()
const all = (more: Partial<ToolContext> = {}): ToolContext => ({
  cwd: project.cwd,
  permissions: ['fs:read', 'fs:write'],
  ...more,
})
const CHANGE = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1\n+export const a = 2\n'
const at = (path: string) => join(project.cwd, path)

describe('Read', () => {
  it('SG-10: gives the content of a file', async () => {
    const { data } = await read.execute({ file: 'README.md' }, { cwd: project.cwd })
    expect(data).toStrictEqual({ content: '# Hello\n' })
  })

  it('SG-10: gives an empty one, and unicode, and refuses a directory and binary data', async () => {
    project.write('empty', '')
    project.write('uni.txt', 'žluťoučký 🐎\n')
    project.write('data.bin', '\0\x01\x02\0')
    expect((await read.execute({ file: 'empty' }, all())).data).toStrictEqual({ content: '' })
    expect((await read.execute({ file: 'uni.txt' }, all())).data).toStrictEqual({ content: 'žluťoučký 🐎\n' })
    for (const file of ['src', 'data.bin'])
      expect(await read.execute({ file }, all())).toMatchObject({ ok: false, error: { code: 'ERUNTIME' } })
  })

  it('SG-10: gives `limit` lines from line `offset` on', async () => {
    project.write('lines.txt', 'one\ntwo\nthree\nfour\n')
    const part = async (more: object) => (await read.execute({ file: 'lines.txt', ...more }, all())).data?.content
    expect(await part({ offset: 2, limit: 2 })).toBe('two\nthree\n')
    expect(await part({ offset: 3 })).toBe('three\nfour\n')
    expect(await part({ limit: 1 })).toBe('one\n')
    expect(await part({ offset: 4, limit: 100 })).toBe('four\n')
    const past = await read.execute({ file: 'lines.txt', offset: 9 }, all())
    expect(past.error).toMatchObject({ code: 'ERUNTIME', message: expect.stringContaining('4 lines') })
    for (const wrong of [{ offset: 0 }, { limit: 0 }, { offset: 1.5 }])
      expect((await read.execute({ file: 'lines.txt', ...wrong }, all())).error?.code).toBe('EVALIDATION')
  })

  it('SG-10, SG-17: a file that is too large is EQUOTA, which names offset and limit; they read all of it', async () => {
    const line = `${'x'.repeat(999)}\n`
    project.write('large.txt', line.repeat(2000))
    const whole = await read.execute({ file: 'large.txt' }, all())
    expect(whole.error).toMatchObject({ code: 'EQUOTA', message: expect.stringMatching(/2000000.*offset.*limit/) })
    const rest = await read.execute({ file: 'large.txt', offset: 500 }, all())
    expect(rest.error).toMatchObject({
      code: 'EQUOTA',
      message: expect.stringMatching(/offset 500 on, limit 1048 fits/),
    })
    expect((await read.execute({ file: 'large.txt', offset: 500, limit: 1048 }, all())).data?.content).toBe(
      line.repeat(1048),
    )
  })
})

describe('Write', () => {
  it('SG-11: writes a whole file, new or old, and makes its directories', async () => {
    expect((await write.execute({ file: 'deep/er/new.txt', content: 'new\n' }, all())).data).toStrictEqual({
      written: true,
    })
    expect((await write.execute({ file: 'README.md', content: '# Bye\n' }, all())).data).toStrictEqual({
      written: true,
    })
    expect([project.read('deep/er/new.txt'), project.read('README.md')]).toEqual(['new\n', '# Bye\n'])
  })

  it('refuses to overwrite what another program changed since this one read it, with one context or many', async () => {
    const ctx = all()
    for (const given of [() => ctx, all]) {
      await read.execute({ file: 'README.md' }, given())
      appendFileSync(at('README.md'), 'somebody else\n')
      const theirs = project.read('README.md')
      expect(await write.execute({ file: 'README.md', content: 'mine\n' }, given())).toMatchObject({
        ok: false,
        error: { code: 'ERUNTIME', message: expect.stringMatching(/changed since it was read.*Read it again/) },
      })
      expect(project.read('README.md')).toBe(theirs)
      await read.execute({ file: 'README.md' }, given())
      expect(await write.execute({ file: 'README.md', content: 'mine\n' }, given())).toMatchObject({ ok: true })
    }
  })

  it('keeps two contexts apart: each writes over what it has read itself', async () => {
    const [one, two] = [all(), all()]
    await read.execute({ file: 'README.md' }, one)
    await read.execute({ file: 'README.md' }, two)
    expect((await write.execute({ file: 'README.md', content: 'two\n' }, two)).ok).toBe(true)
    expect((await write.execute({ file: 'README.md', content: 'one\n' }, one)).ok).toBe(false)
    expect(project.read('README.md')).toBe('two\n')
  })

  it('takes calls that are made at once one after another', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, count) => write.execute({ file: 'n.txt', content: `${count}` }, all())),
    )
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(project.read('n.txt')).toMatch(/^\d$/)
  })
})

describe('Edit', () => {
  it('SG-12: applies a unified diff and gives it back as it was applied', async () => {
    const { data } = await edit.execute({ file: 'src/a.ts', patch: CHANGE }, all())
    expect(data).toStrictEqual({ applied: true, diff: expect.stringContaining('+export const a = 2') })
    expect(project.read('src/a.ts')).toBe('export const a = 2\n')
  })

  it('SG-12: check tells whether it would apply, needs no right to write, and changes nothing', async () => {
    const before = project.snapshot()
    const context = { cwd: project.cwd, permissions: ['fs:read'] }
    const { data } = await edit.execute({ file: 'src/a.ts', patch: CHANGE, strategy: 'check' }, context)
    expect(data).toStrictEqual({ applied: false, diff: expect.stringContaining('+export const a = 2') })
    const stale = CHANGE.replace('-export const a = 1', '-export const a = 7')
    expect(await edit.execute({ file: 'src/a.ts', patch: stale, strategy: 'check' }, context)).toMatchObject({
      ok: false,
      error: { code: 'ERUNTIME' },
    })
    expect(project.snapshot()).toEqual(before)
  })

  it('SG-12: touches no file but the one it names', async () => {
    const before = project.snapshot()
    const other = CHANGE.replaceAll('src/a.ts', 'README.md').replace('-export const a = 1', '-# Hello')
    for (const patch of [other, CHANGE + other])
      expect(await edit.execute({ file: 'src/a.ts', patch }, all())).toMatchObject({ ok: false })
    expect(project.snapshot()).toEqual(before)
  })

  it('SG-12: a diff that does not fit says where, and changes nothing', async () => {
    const before = project.snapshot()
    const result = await edit.execute({ file: 'src/a.ts', patch: CHANGE.replace('a = 1', 'b = 9') }, all())
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'ERUNTIME', message: expect.stringContaining('src/a.ts') },
    })
    expect(project.snapshot()).toEqual(before)
  })
})

describe('permissions', () => {
  it('SG-07: without a list only reading is granted', async () => {
    expect((await read.execute({ file: 'README.md' }, { cwd: project.cwd })).ok).toBe(true)
    for (const [tool, input] of [
      [write, { file: 'x.txt', content: 'x' }],
      [edit, { file: 'src/a.ts', patch: CHANGE }],
    ] as const)
      expect(await tool.execute(input as never, { cwd: project.cwd })).toMatchObject({ error: { code: 'EPERMISSION' } })
  })

  it('SG-07: with a list nothing else is granted, reading included', async () => {
    for (const permissions of [[], ['fs:write'], ['fs:read:docs/**']])
      expect(await read.execute({ file: 'README.md' }, all({ permissions }))).toMatchObject({
        ok: false,
        error: { code: 'EPERMISSION', message: expect.stringContaining('fs:read:README.md') },
      })
  })

  it('SG-07: fs:write:src/** reaches src and no further', async () => {
    const permissions = ['fs:read', 'fs:write:src/**']
    expect((await write.execute({ file: 'src/deep/b.ts', content: 'b' }, all({ permissions }))).ok).toBe(true)
    for (const file of ['lib/b.ts', 'srcs/b.ts', 'src/../lib/b.ts', 'src'])
      expect((await write.execute({ file, content: 'b' }, all({ permissions }))).ok).toBe(false)
    expect(existsSync(at('lib'))).toBe(false)
  })

  it('SG-07: a denial names the permission that was missing and how to grant it; granted, the call runs', async () => {
    const denied = await write.execute({ file: 'lib/b.ts', content: 'b' }, all({ permissions: ['fs:read'] }))
    expect(denied.error?.message).toMatch(/needs the permission fs:write:lib\/b\.ts: add it to the permissions/)
    const granted = all({ permissions: ['fs:read', 'fs:write:lib/b.ts'] })
    expect((await write.execute({ file: 'lib/b.ts', content: 'b' }, granted)).ok).toBe(true)
  })

  it("SG-07: the user's own denials hold, whatever the context grants", async () => {
    project.configure({ policy: { rules: [{ action: 'read', path: '**/*.pem', verdict: 'deny', why: 'keys' }] } })
    project.write('key.pem', 'secret')
    expect(await read.execute({ file: 'key.pem' }, all())).toMatchObject({
      error: { code: 'EPERMISSION', message: expect.stringContaining('keys') },
    })
  })

  it('SG-25: reading needs no approval', async () => {
    expect((await read.execute({ file: 'README.md' }, { cwd: project.cwd })).ok).toBe(true)
  })
})

describe('paths', () => {
  it('SG-18: nothing is read or written outside of the workspace, however it is spelled', async () => {
    mkdirSync(join(project.cwd, '../outside'))
    symlinkSync('../outside', at('link'))
    symlinkSync('../outside/new.txt', at('dangling.txt'))
    for (const file of ['../outside/x.txt', '/etc/passwd', 'link/x.txt', 'src/../../outside/x.txt', 'dangling.txt', ''])
      for (const result of [await write.execute({ file, content: 'x' }, all()), await read.execute({ file }, all())])
        expect([file, result.ok]).toEqual([file, false])
    expect(existsSync(join(project.cwd, '../outside/x.txt'))).toBe(false)
    expect(existsSync(join(project.cwd, '../outside/new.txt'))).toBe(false)
    expect(await write.execute({ file: '../x', content: 'x' }, all())).toMatchObject({ error: { code: 'EPERMISSION' } })
  })

  it('SG-18: .sage/ is protected by default, under every name that means it', async () => {
    project.write('.sage/memory.json', '{}')
    symlinkSync('.sage', at('notes'))
    for (const file of [
      '.sage/memory.json',
      '.sage/new',
      'src/../.sage/new',
      './.sage//new',
      'notes/new',
      'sub/.sage/x',
      '.SAGE/new',
    ])
      expect(await write.execute({ file, content: 'x' }, all())).toMatchObject({
        ok: false,
        error: { code: 'EPERMISSION', message: expect.stringContaining('.sage') },
      })
    expect((await edit.execute({ file: '.sage/memory.json', patch: '@@ -1 +1 @@\n-{}\n+[]\n' }, all())).ok).toBe(false)
    expect(project.read('.sage/memory.json')).toBe('{}')
    expect((await read.execute({ file: '.sage/memory.json' }, all())).data).toEqual({ content: '{}' })
  })

  it('SG-18: a path is resolved before it is judged', async () => {
    const permissions = ['fs:read', 'fs:write:src/**']
    symlinkSync('src', at('source'))
    for (const file of ['./src//../src/./b.ts', 'source/b.ts'])
      expect((await write.execute({ file, content: file }, all({ permissions }))).ok).toBe(true)
    expect(project.read('src/b.ts')).toBe('source/b.ts')
  })
})

describe('dry run', () => {
  it('SG-19: gives the diff, says that it was one, and changes nothing', async () => {
    const before = project.snapshot()
    const written = await write.execute({ file: 'new/x.txt', content: 'hello\n' }, all({ dryRun: true }))
    expect(written).toStrictEqual({
      ok: true,
      data: { written: false },
      meta: {
        startedAt: expect.any(String),
        endedAt: expect.any(String),
        durationMs: expect.any(Number),
        dryRun: true,
        diff: expect.stringContaining('+hello'),
      },
    })
    const edited = await edit.execute({ file: 'src/a.ts', patch: CHANGE }, all({ dryRun: true }))
    expect(edited).toMatchObject({
      ok: true,
      data: { applied: false },
      meta: { dryRun: true, diff: expect.stringContaining('-export const a = 1\n+export const a = 2') },
    })
    expect(project.snapshot()).toEqual(before)
  })

  it('SG-19: needs the permission of the call itself', async () => {
    const result = await write.execute({ file: 'x.txt', content: 'x' }, { cwd: project.cwd, dryRun: true })
    expect(result).toMatchObject({ ok: false, error: { code: 'EPERMISSION' }, meta: { dryRun: true } })
  })

  it('SG-19: shows nothing of a file that may not be read', async () => {
    project.write('key.txt', 'hunter2\n')
    const context = all({ dryRun: true, permissions: ['fs:write'] })
    const result = await write.execute({ file: 'key.txt', content: 'mine\n' }, context)
    expect(result).toMatchObject({ ok: true, meta: { dryRun: true } })
    expect(JSON.stringify(result)).not.toContain('hunter2')
  })

  it('SG-19: a read is a read', async () => {
    const result = await read.execute({ file: 'README.md' }, all({ dryRun: true }))
    expect(result).toMatchObject({ ok: true, data: { content: '# Hello\n' }, meta: { dryRun: true, diff: '' } })
  })
})
