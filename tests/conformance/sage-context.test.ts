// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createBashTool,
  createEditTool,
  GraphQuery,
  createReadTool,
  createWriteTool,
  defineTool,
  inTransaction,
  ToolFailure,
  type ToolContext,
  type ToolLog,
} from '../../src/contracts.ts'
import { fakeSecrets } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { useProject } from './directory.ts'

const project = useProject({ 'a.txt': 'one\n' })
const read = createReadTool()
const write = createWriteTool()
const bash = createBashTool()
const all = (more: Partial<ToolContext> = {}): ToolContext => ({
  cwd: project.cwd,
  permissions: ['fs:read', 'fs:write', 'exec'],
  ...more,
})
const isThere = (path: string) => existsSync(join(project.cwd, path))

describe('the transaction of a context', () => {
  it('SG-23: calls are staged, see each other, and land together', async () => {
    const result = await inTransaction(all(), async ctx => {
      expect(await write.execute({ file: 'b.txt', content: 'two\n' }, ctx)).toMatchObject({ ok: true })
      expect((await read.execute({ file: 'b.txt' }, ctx)).data).toEqual({ content: 'two\n' })
      expect((await write.execute({ file: 'c.txt', content: 'three\n' }, ctx)).ok).toBe(true)
      expect([isThere('b.txt'), isThere('c.txt')]).toEqual([false, false])
      return 7
    })
    expect([result, project.read('b.txt'), project.read('c.txt')]).toEqual([7, 'two\n', 'three\n'])
  })

  it('SG-23: where the work throws, nothing lands', async () => {
    const before = project.snapshot()
    const work = inTransaction(all(), async ctx => {
      await write.execute({ file: 'b.txt', content: 'two\n' }, ctx)
      throw new RangeError('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(project.snapshot()).toEqual(before)
  })

  needs('bubblewrap')('SG-22, SG-23: a validator that fails rolls back, with the code and its report', async () => {
    project.configure({ validators: [{ name: 'types', command: ['/bin/sh', '-c', 'echo "bad type"; exit 2'] }] })
    const before = project.snapshot()
    const work = inTransaction(all(), ctx => write.execute({ file: 'b.txt', content: 'two\n' }, ctx))
    await expect(work).rejects.toThrow(ToolFailure)
    await expect(work).rejects.toMatchObject({
      code: 'ERUNTIME',
      message: expect.stringMatching(/types reports:\nbad/),
    })
    expect(project.snapshot()).toEqual(before)
  })

  it('SG-23: is no place for another, and grants no more than the context does', async () => {
    await expect(inTransaction(all({ transaction: 'one' }), async () => 1)).rejects.toThrow(/'one' already/)
    await inTransaction(all({ permissions: ['fs:read'] }), async ctx => {
      expect(await write.execute({ file: 'b.txt', content: 'two\n' }, ctx)).toMatchObject({
        error: { code: 'EPERMISSION' },
      })
    })
  })
})

describe('the deterministic mode of a context', () => {
  it('SG-24: the same calls give the same answers and records, times included', async () => {
    const own = defineTool({
      name: 'Own',
      description: 'Answers',
      parameters: z.object({}),
      implementation: async () => ({ answer: 42 }),
    })
    const answers = async () => {
      const logged: ToolLog[] = []
      const ctx = all({ deterministic: true, logger: event => logged.push(event) })
      const results = [
        await read.execute({ file: 'a.txt' }, ctx),
        await read.execute({ file: 'nope' }, ctx),
        await own.execute({}, ctx),
        await read.execute({ file: 'a.txt' }, { ...ctx, permissions: ['fs:reed'] }),
      ]
      return { results, records: logged.map(({ id: _id, session: _session, ...record }) => record) }
    }
    const first = await answers()
    expect(await answers()).toEqual(first)
    for (const { meta } of first.results)
      expect(meta).toMatchObject({ startedAt: '1980-01-01T00:00:00.000Z', endedAt: '1980-01-01T00:00:00.000Z' })
  })
})

const PATCH = (line: string) => `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n${line}\n`

describe('the quotas of a context', () => {
  it('SG-17: a tool of your own may take so long', async () => {
    const slow = defineTool({
      name: 'Slow',
      description: 'Takes its time',
      parameters: z.object({}),
      implementation: () => pause(60_000, undefined, { ref: false }),
    })
    expect((await slow.execute({}, all({ quotas: { timeoutMs: 40 } }))).error).toMatchObject({
      code: 'ETIMEOUT',
      message: expect.stringMatching(/0\.04 s.*raise timeoutMs in the quotas of the context$/),
    })
  })

  it('SG-17: Read, Write, Edit and GraphQuery may take so long, and change nothing after it', async () => {
    project.write('large.txt', 'x'.repeat(1_000_000))
    const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n'
    const before = project.snapshot()
    const ctx = all({ quotas: { timeoutMs: 0.001 } })
    for (const { error } of [
      await read.execute({ file: 'large.txt' }, ctx),
      await write.execute({ file: 'new.txt', content: 'x'.repeat(1_000_000) }, ctx),
      await createEditTool().execute({ file: 'a.txt', patch }, ctx),
      await GraphQuery.execute({ query: 'MATCH (f:File) RETURN f.id' }, ctx),
    ])
      expect(error).toMatchObject({ code: 'ETIMEOUT', message: expect.stringContaining('took longer than') })
    expect(project.snapshot()).toEqual(before)
    expect(await read.execute({ file: 'a.txt' }, all({ quotas: { timeoutMs: 60_000 } }))).toMatchObject({ ok: true })
  })

  needs('bubblewrap').each([
    [{ timeoutMs: 4000 }, 'echo begun; sleep 60', 'ETIMEOUT', / 4 s/],
    [{ outputBytes: 100_000 }, 'echo begun; yes', 'EQUOTA', /printed more than 100000 bytes/],
    [{ fileBytes: 5000 }, 'echo begun; head -c 9000 /dev/zero > large; true', 'EQUOTA', /more than 5000 bytes/],
    [{ cpuSeconds: 1 }, 'echo begun; while :; do :; done', 'EQUOTA', /processor time/],
  ])('SG-17: %j holds for a command, and what it printed is kept', async (quotas, command, code, words) => {
    const before = project.snapshot()
    const { data, error } = await bash.execute({ command }, all({ quotas }))
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) })
    expect(data?.stdout).toMatch(/^begun\n/)
    expect(data?.stdout.length).toBeLessThanOrEqual('outputBytes' in quotas ? quotas.outputBytes : 100)
    expect(project.snapshot()).toEqual(before)
  })

  needs('bubblewrap')('SG-07: a change that is not permitted is refused, with what the command printed', async () => {
    const permissions = ['exec', 'fs:read', 'fs:write:src/**']
    const { data, error } = await bash.execute({ command: 'echo begun; echo x > out.txt' }, all({ permissions }))
    expect(error).toMatchObject({ code: 'EPERMISSION', message: expect.stringContaining('out.txt') })
    expect(error?.message).not.toContain('more time')
    expect([data?.stdout, isThere('out.txt')]).toEqual(['begun\n', false])
  })

  needs('bubblewrap')('SG-17, SG-22: a time that is over names the setting that it comes from', async () => {
    const { error } = await bash.execute({ command: 'sleep 20' }, all({ quotas: { timeoutMs: 300 } }))
    expect(error?.message).toMatch(/Give it more time \(timeoutMs in the quotas of the context\); what/)
    const own = createBashTool({ timeoutMs: 300 })
    const { error: made } = await own.execute({ command: 'sleep 20' }, all())
    expect(made?.message).toMatch(/Give it more time \(timeoutMs where the tool is made\); what/)
  })

  it.each<object>([{ timeOutMs: 5 }, { outputbytes: 5, timeoutMs: 60_000 }])(
    'SG-17, SG-22: an unknown quota is refused, with those that exist (%j)',
    async quotas => {
      const { error } = await read.execute({ file: 'a.txt' }, all({ quotas }))
      expect(error).toMatchObject({
        code: 'EVALIDATION',
        message: expect.stringMatching(
          /^context\.quotas does not know '(?:timeOutMs|outputbytes)'\. It takes timeoutMs, /,
        ),
      })
    },
  )

  it('SG-16, SG-22: an unknown command list is refused, of a tool and of a call', async () => {
    const wrong: object = { commands: { deny: ['ls'] } }
    expect(() => createBashTool(wrong)).toThrow(
      expect.objectContaining({
        code: 'EVALIDATION',
        message: "createBashTool does not know 'commands'. It takes allow, deny, timeoutMs",
      }),
    )
    const denied: object = { denied: ['ls'] }
    expect((await bash.execute({ command: 'ls' }, all({ commands: denied }))).error).toEqual({
      code: 'EVALIDATION',
      message: "context.commands does not know 'denied'. It takes allow, deny",
    })
  })

  needs('bubblewrap').each([
    ['one chunk', 'yes | head -c 60000; echo end >&2'],
    ['many chunks', 'yes | head -c 3000000; echo end >&2'],
    ['both streams', 'yes | head -c 40000 >&2; yes | head -c 3000000'],
    ['characters of several bytes', 'yes ü😀 | head -c 60000'],
    ['bytes that are no text', 'yes | head -c 60000 | tr y "\\377"'],
  ])('SG-17: stdout and stderr together have no more than outputBytes (%s)', async (_, command) => {
    const { data, error } = await bash.execute({ command }, all({ quotas: { outputBytes: 1000 } }))
    expect(error).toMatchObject({ code: 'EQUOTA', message: expect.stringContaining('printed more than 1000 bytes') })
    const { stdout = '', stderr = '' } = data ?? {}
    expect(Buffer.byteLength(stdout + stderr)).toBeLessThanOrEqual(1000)
    expect(Buffer.byteLength(stdout + stderr)).toBeGreaterThan(900)
  })

  needs('bubblewrap')('SG-17: a command is ended when it has printed more than outputBytes', async () => {
    const command = 'echo begun; yes | head -c 3000000; echo end >&2'
    const { data } = await bash.execute({ command }, all({ quotas: { outputBytes: 1000 } }))
    expect(data?.stdout).toMatch(/^begun\n/)
    expect(data?.stderr).toBe('')
  })

  it('SG-17: where commands run without the sandbox, the answer says that their changes stay', async () => {
    project.configure({ sandbox: 'off' })
    const line = { command: 'echo two > made.txt; sleep 20' }
    const { data, error } = await bash.execute(line, all({ quotas: { timeoutMs: 1000 } }))
    expect(error).toMatchObject({
      code: 'ETIMEOUT',
      message: expect.stringMatching(/what it changed by then stays$/),
    })
    expect(data?.stdout).toBe('')
    expect(project.read('made.txt')).toBe('two\n')
  })

  it.each([
    [
      'a new file',
      { fileBytes: 1000 },
      'Write',
      { file: 'new.txt', content: 'x'.repeat(1001) },
      /"new\.txt" would have 1001 bytes, more than 1000 bytes/,
    ],
    [
      'an old file',
      { fileBytes: 1000 },
      'Write',
      { file: 'a.txt', content: 'ü'.repeat(501) },
      /"a\.txt" would have 1002 bytes/,
    ],
    [
      'a file in a new directory',
      { fileBytes: 10 },
      'Write',
      { file: 'deep/er/new.txt', content: 'x'.repeat(11) },
      /more than 10 bytes/,
    ],
    [
      'what is written in all',
      { writtenBytes: 1000 },
      'Write',
      { file: 'new.txt', content: 'x'.repeat(1001) },
      /would write 1001 bytes, more than 1000/,
    ],
    ['an empty allowance', { writtenBytes: 1 }, 'Write', { file: 'a.txt', content: 'two' }, /would write 3 bytes/],
    [
      'an edited file',
      { fileBytes: 100 },
      'Edit',
      { file: 'a.txt', patch: PATCH(`+${'y'.repeat(101)}`) },
      /"a\.txt" would have 102 bytes/,
    ],
    [
      'what an edit writes',
      { writtenBytes: 100 },
      'Edit',
      { file: 'a.txt', patch: PATCH(`+${'y'.repeat(101)}`) },
      /would write 102 bytes/,
    ],
    [
      'a diff',
      { outputBytes: 100 },
      'Edit',
      { file: 'a.txt', patch: PATCH(`+${'y'.repeat(101)}`) },
      /The diff has \d+ bytes, more than 100 bytes/,
    ],
    [
      'a diff that is only checked',
      { outputBytes: 20 },
      'Edit',
      { file: 'a.txt', patch: PATCH('+two'), strategy: 'check' },
      /The diff has/,
    ],
    [
      'a new file of an edit',
      { fileBytes: 3 },
      'Edit',
      { file: 'new.txt', patch: '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+four\n' },
      /"new\.txt" would have 5 bytes/,
    ],
  ] as const)('SG-17: the quotas hold for %s, and nothing lands (%j, %s)', async (_, quotas, tool, input, words) => {
    const before = project.snapshot()
    const used = tool === 'Write' ? write : createEditTool()
    for (const dryRun of [false, true]) {
      const { ok, error } = await used.execute(Object(input), all({ quotas, dryRun }))
      expect([ok, error]).toEqual([false, { code: 'EQUOTA', message: expect.stringMatching(words) }])
    }
    expect(project.snapshot()).toEqual(before)
  })

  it('SG-17: Write and Edit do what is just within the quotas', async () => {
    const quotas = { fileBytes: 1000, writtenBytes: 1000, outputBytes: 1000 }
    expect(await write.execute({ file: 'new.txt', content: 'x'.repeat(1000) }, all({ quotas }))).toMatchObject({
      ok: true,
    })
    expect(await createEditTool().execute({ file: 'a.txt', patch: PATCH('+two') }, all({ quotas }))).toMatchObject({
      ok: true,
    })
    expect([project.read('new.txt').length, project.read('a.txt')]).toEqual([1000, 'two\n'])
  })

  it('SG-17: the limits of the configuration hold for Write and Edit, in a transaction too', async () => {
    project.configure({ limits: { commands: { fileBytes: 1000 } } })
    const before = project.snapshot()
    const large = { file: 'new.txt', content: 'x'.repeat(1001) }
    expect((await write.execute(large, all({ quotas: { fileBytes: 5000 } }))).error).toMatchObject({ code: 'EQUOTA' })
    await inTransaction(all(), async ctx => {
      expect((await write.execute(large, ctx)).error).toMatchObject({ code: 'EQUOTA' })
    })
    expect(project.snapshot()).toEqual(before)
  })

  needs('bubblewrap')('SG-17: they lift no limit of the configuration', async () => {
    project.configure({ limits: { commands: { fileBytes: 5000 } } })
    const { error } = await bash.execute(
      { command: 'head -c 9000 /dev/zero > large' },
      all({ quotas: { fileBytes: 1_000_000 } }),
    )
    expect(error).toMatchObject({ code: 'EQUOTA' })
  })
})

describe('the arguments of a program', () => {
  needs('bubblewrap')('SG-13: are passed on as they are', async () => {
    const printed = await bash.execute({ command: 'printf', args: ['%s|', 'a b', '$HOME', '*', "'"] }, all())
    expect(printed.data).toEqual({ stdout: "a b|$HOME|*|'|", stderr: '', exitCode: 0 })
  })

  needs('bubblewrap').each([
    [{ command: 'printf', args: ['%s|', '$ENV.NOPE', 'a $ENV.NOPE b', "it's"] }, "$ENV.NOPE|a $ENV.NOPE b|it's|"],
    [{ command: 'printf "%s|" $ENV.NOPE "a $ENV.OTHER" \'$ENV.NOPE\'' }, '$ENV.NOPE|a $ENV.OTHER|$ENV.NOPE|'],
    [{ command: 'ENV=secret; printf %s $ENV.NOPE' }, '$ENV.NOPE'],
  ])('SG-20: without a provider a placeholder is literal text, as it is for Write (%j)', async (input, stdout) => {
    const { data, error } = await bash.execute(input, all())
    expect(error).toBeUndefined()
    expect(data).toEqual({ stdout, stderr: '', exitCode: 0 })
  })

  it('SG-20: with a provider an unknown name is an error', async () => {
    const input = { command: 'printf', args: ['%s', '$ENV.NOPE'] }
    const { error } = await bash.execute(input, all({ secretProvider: fakeSecrets({ TOKEN: 'tok-7f3a9c51e2d84b60' }) }))
    expect(error).toMatchObject({ code: 'EVALIDATION', message: expect.stringContaining("'NOPE'") })
  })

  needs('bubblewrap')('SG-20: may name secrets, which only the program gets', async () => {
    const secretProvider = fakeSecrets({ TOKEN: 'tok-7f3a9c51e2d84b60' })
    const counted = { command: 'bash', args: ['-c', 'echo ${#1}; echo $1', 'count', '$ENV.TOKEN'] }
    const { data } = await bash.execute(counted, all({ secretProvider }))
    expect(data?.stdout).toMatch(/^20\n/)
    expect(data?.stdout).not.toContain('tok-')
  })
})
