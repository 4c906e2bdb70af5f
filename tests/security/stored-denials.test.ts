import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { runIn } from '../cli/rig.ts'
import { repository } from '../process/git-world.ts'

const create = (path: string): object => ({ path, content: 'x\n', expect: 'absent' })

const cli = async (workspace: TemporaryWorkspace, ...args: readonly string[]) => {
  const { code, bytes, err } = await runIn(workspace, args, {})
  return { code, out: bytes.toString(), err }
}

/** Stores deny rules, and returns the id of the last one. */
async function deny(workspace: TemporaryWorkspace, ...options: readonly string[]): Promise<string> {
  const { code, out, err } = await cli(workspace, 'policy', 'add', ...options)
  expect([code, err]).toEqual([0, ''])
  return out.trim().split(' ').at(-1) ?? ''
}

const call = (workspace: TemporaryWorkspace, tool: string, input: object, ...options: readonly string[]) =>
  cli(workspace, 'call', tool, JSON.stringify(input), '--allow', 'exec', '--allow', 'fs:write', '--yes', ...options)

const isThere = ({ path }: TemporaryWorkspace, name: string): boolean => existsSync(join(path, name))

/** Options of `policy add`, and a call that everything else allows and that would leave the file `mark`. */
const ROWS: readonly (readonly [name: string, options: readonly string[], tool: string, input: object])[] = [
  ['a file', ['--deny', 'fs:write:mark'], 'write', create('mark')],
  ['a new file', ['--deny', 'fs:create:mark'], 'write', create('mark')],
  ['a file of a command', ['--deny', 'fs:create:mark'], 'run', { command: 'echo x > mark' }],
  ['a command', ['--deny', 'exec:touch'], 'run', { command: 'touch mark' }],
  ['a command in a shell', ['--deny', 'exec:touch'], 'run', { command: `sh -c 't=tou"ch"; $t mark'` }],
  ['a command of make', ['--deny', 'exec:touch'], 'run', { command: 'make -s mark' }],
  ['one of several rules', ['--deny', 'exec:rm', '--deny', 'exec:touch'], 'run', { command: 'touch mark' }],
  ['for every workspace', ['--deny', 'exec:touch', '--scope', 'user'], 'run', { command: 'touch mark' }],
  ['every command', ['--deny', 'exec'], 'run', { command: 'touch mark' }],
  ['with a reason', ['--deny', 'fs:write:mark', '--why', 'not here'], 'write', create('mark')],
]

const FILES = { Makefile: 'mark:\n\ttouch mark\n' }

describe('a stored deny rule', () => {
  it.each(ROWS)('wins over every permission and --yes: %s', async (_name, options, tool, input) => {
    await using free = repository(FILES)
    await call(free, tool, input)
    expect(isThere(free, 'mark'), 'without the rule').toBe(true)
    await using workspace = repository(FILES)
    await deny(workspace, ...options)
    expect((await call(workspace, tool, input)).code).not.toBe(0)
    expect(isThere(workspace, 'mark'), 'with the rule').toBe(false)
  })

  it('wins over an answer that is remembered before or after it', async () => {
    await using workspace = repository(FILES)
    await cli(workspace, 'policy', 'add', 'write', '--path', 'mark')
    await deny(workspace, '--deny', 'fs:write:mark')
    await cli(workspace, 'policy', 'add', 'write', '--path', '**')
    await cli(workspace, 'call', 'write', JSON.stringify(create('mark')))
    expect(isThere(workspace, 'mark')).toBe(false)
  })

  it('holds in the next call of a session that is open, and of one with its own permissions only', async () => {
    await using workspace = repository(FILES)
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const only = kit.session({ permissions: ['exec', 'fs:write'], permissionsOnly: true })
    await kit.run('run', { command: 'touch a' })
    await deny(workspace, '--deny', 'exec:touch', '--deny', 'fs:write:c')
    await kit.run('run', { command: 'touch b' })
    await only.run('run', { command: 'touch b' })
    await kit.transaction(session => session.run('write', create('c'))).catch(() => {})
    expect(['a', 'b', 'c'].map(name => isThere(workspace, name))).toEqual([true, false, false])
  })

  it('removed by another process holds in an open session, and not in the next one', async () => {
    await using workspace = repository(FILES)
    const id = await deny(workspace, '--deny', 'fs:write:mark')
    const kit = await workspace.open({ permissions: ['fs:write'] })
    expect((await cli(workspace, 'policy', 'remove', id)).code).toBe(0)
    await kit.run('write', create('mark'))
    expect(isThere(workspace, 'mark')).toBe(false)
    await call(workspace, 'write', create('mark'))
    expect(isThere(workspace, 'mark')).toBe(true)
  })

  it.each(['disable', 'remove'])('is switched by its id: %s', async verb => {
    await using workspace = repository(FILES)
    const id = await deny(workspace, '--deny', 'fs:write:m*')
    await cli(workspace, 'policy', verb, id)
    await call(workspace, 'write', create('mark'))
    expect(isThere(workspace, 'mark')).toBe(true)
    expect((await cli(workspace, 'policy', 'enable', id)).code).toBe(verb === 'disable' ? 0 : 1)
    await call(workspace, 'write', create('more'))
    expect(isThere(workspace, 'more')).toBe(verb === 'remove')
  })

  it('that cannot be read makes every call ask, also one that is allowed', async () => {
    await using workspace = repository(FILES)
    await deny(workspace, '--deny', 'fs:write:mark', '--scope', 'user')
    writeFileSync(join(workspace.base, 'state/denials.json'), '{"version":1,')
    const asked = await cli(workspace, 'call', 'write', JSON.stringify(create('mark')), '--allow', 'fs:write')
    expect([asked.code, isThere(workspace, 'mark')]).toEqual([3, false])
    expect((await cli(workspace, 'doctor')).out).toMatch(/^✗ Approvals: .*denials\.json cannot be used/m)
  })

  it.each([
    [['--deny', 'exec:git push', '--deny', 'gitpush'], "Deny rule 'gitpush' is refused"],
    [['--deny', 'exec:rm', '--expires', '3'], 'does not expire'],
    [['run', '--deny', 'exec:rm'], 'holds for every tool'],
    [['--deny', 'exec:rm', '--path', 'a'], 'takes the whole rule'],
  ])('is refused as a whole, and nothing is stored: %j', async (options, why) => {
    await using workspace = repository(FILES)
    const { code, err } = await cli(workspace, 'policy', 'add', ...options)
    expect([code, err]).toEqual([2, expect.stringContaining(why)])
    expect((await cli(workspace, 'policy', 'list', '--json')).out).toBe('[]\n')
  })
})

describe('a command that is remembered by hand', () => {
  const commands = (...words: readonly string[]): readonly string[] => words.flatMap(each => ['--command', each])

  it.each([
    [commands('echo'), 'echo a b', true],
    [commands('git log'), 'git log --oneline -3', true],
    [commands('git log'), 'git -C . log', true],
    [commands('git log'), 'git status', false],
    [commands('git log'), 'git log --output=mark', false],
    [commands('git log'), 'git log; touch mark', false],
    [commands('git log', 'head'), 'git log | head -3', true],
    [commands('git log'), 'git log | head -3', false],
    [commands('git log', 'head'), 'git log > mark', false],
    [commands('git log'), 'env git log', false],
    [commands('git log'), 'GIT_PAGER=./x git log', false],
    [commands('git log'), "sh -c 'git log'", false],
  ])('%j covers %j: %j, as a rule would', async (options, command, isCovered) => {
    await using workspace = repository(FILES)
    expect((await cli(workspace, 'policy', 'add', ...options)).code).toBe(0)
    const { code } = await cli(workspace, 'call', 'run', JSON.stringify({ command }))
    expect([code, isThere(workspace, 'mark')]).toEqual([isCovered ? 0 : 3, false])
    const rules = options.flatMap(each => (each === '--command' ? ['--allow'] : [`exec:${each}`]))
    await using other = repository(FILES)
    expect((await cli(other, 'call', 'run', JSON.stringify({ command }), ...rules)).code).toBe(isCovered ? 0 : 3)
  })

  it('does not answer a question that a rule asks every time, and no deny', async () => {
    await using workspace = repository(FILES)
    await cli(workspace, 'policy', 'add', ...commands('touch'))
    await deny(workspace, '--deny', 'exec:touch')
    const { code } = await cli(workspace, 'call', 'run', '{"command":"touch mark"}', '--allow', 'fs:write')
    expect([code, isThere(workspace, 'mark')]).toEqual([3, false])
  })
})
