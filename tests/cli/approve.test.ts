import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI } from '../cli-program.ts'
import { useCli } from './rig.ts'

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('')
const cli = useCli({ 'a.txt': 'one\n', 'long.txt': lines })
const me = `${userInfo().username} (approve)`

const EDIT = JSON.stringify({ path: 'a.txt', edits: [{ old: 'one', new: 'uno' }] })
const THREE = JSON.stringify({
  path: 'long.txt',
  edits: [2, 20, 38].map(at => ({ old: `line ${at}\n`, new: `LINE ${at}\n` })),
})
const WAIT = ['--wait-for-approval', '2m']

interface Listed {
  readonly id: string
  readonly state: string
  readonly answer?: { readonly by: string }
}

async function listed(): Promise<readonly Listed[]> {
  return JSON.parse((await cli.run(['approve', '--json'])).out)
}

/** Waits until so many questions are open. */
async function asked(count = 1): Promise<readonly string[]> {
  for (let look = 0; look < 2_000; look++) {
    const all = await listed()
    if (all.length >= count) return all.map(({ id }) => id)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('nothing was asked')
}

/** A call of a process of its own, whose question waits. */
function otherProcess(input = EDIT) {
  const { path, env } = cli.workspace
  const child = spawn(process.execPath, [CLI, 'call', 'edit', input, ...WAIT], { cwd: path, env, stdio: 'ignore' })
  return { child, ended: once(child, 'close') }
}

describe('toolwright approve', () => {
  it('says that nothing waits', async () => {
    expect(await cli.run(['approve'])).toMatchObject({ code: 0, out: 'Nothing waits for an answer here.\n' })
    expect((await cli.run(['approve', '--json'])).out).toBe('[]\n')
  })

  it('lists a question in one line, shows all of it, and allows it', async () => {
    const call = cli.run(['call', 'edit', EDIT, ...WAIT, '--component', 'checkout'])
    const [id = ''] = await asked()
    expect((await cli.run(['approve'])).out).toMatch(
      new RegExp(`^${id} +\\d+ s  \\? edit a\\.txt \\+1 −1  command line · checkout\n$`),
    )
    const { out } = await cli.run(['approve', id.slice(0, 5)])
    expect(out).toContain('? edit a.txt +1 −1   command line · checkout\n')
    expect(out).toContain('write a.txt: no rule, and the default for write is ask')
    expect(out).toContain('could happen: changes a.txt')
    expect(out).toContain('   -one\n   +uno\n')
    expect(out).toMatch(/asked \d+ s ago, open for 2 min more\n {2}always = toolwright\/edit: /)
    expect(out).toContain(`To answer: toolwright approve ${id} --yes | --no | --always [--reason TEXT]`)
    expect(await cli.run(['approve', id, '--yes'])).toMatchObject({
      code: 0,
      out: `✓ ${id} was answered yes by ${me}\n`,
    })
    expect((await call).code).toBe(0)
    expect(cli.workspace.read('a.txt')).toBe('uno\n')
    expect(await cli.run(['approve', id, '--no'])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`The question '${id}' was answered yes by ${me}`),
    })
    expect((await cli.run(['approve', id])).out).toBe(`${id} was answered yes by ${me}\n`)
  })

  it('lands two of three hunks, and says which did not', async () => {
    const call = cli.run(['call', 'edit', THREE, ...WAIT])
    const [id = ''] = await asked()
    const { out } = await cli.run(['approve', id])
    expect(out).toContain('hunk 2 of 3  long.txt\n   @@ -17,7 +17,7 @@\n')
    expect((await cli.run(['approve', id, '--hunks', '1,4'])).code).toBe(2)
    expect((await cli.run(['approve', id, '--hunks', '1,3', '--reason', 'not the middle'])).code).toBe(0)
    const { code, err, out: told } = await call
    expect(code).toBe(0)
    expect(err + told).toContain(
      'A person accepted 2 of 3 hunks. Not landed: long.txt @@ -17,7 +17,7 @@, because: not the',
    )
    expect(cli.workspace.read('long.txt')).toBe(lines.replace('line 2\n', 'LINE 2\n').replace('line 38\n', 'LINE 38\n'))
  })

  it('refuses with a reason, which the caller gets', async () => {
    const call = cli.run(['call', 'edit', EDIT, ...WAIT, '--json'])
    const [id = ''] = await asked()
    expect((await cli.run(['approve', id, '--no', '--reason', 'use the helper'])).code).toBe(0)
    expect(await call).toMatchObject({ code: 3, out: expect.stringContaining('because: use the helper') })
    expect(cli.workspace.read('a.txt')).toBe('one\n')
  })

  it('prints the reason of a no where people read it', async () => {
    const call = cli.run(['call', 'edit', EDIT, ...WAIT])
    const [id = ''] = await asked()
    expect((await cli.run(['approve', id, '--no', '--reason', 'use the helper'])).code).toBe(0)
    const { code, out, err } = await call
    expect(code).toBe(3)
    expect(out + err).toContain("✗ 'toolwright/edit' was not approved\n  The reason: use the helper\n")
  })

  it.each([
    ['1', 'yes'],
    ['y', 'yes'],
    ['n use the helper', 'no'],
  ])('takes the answer of a person at a terminal: %s', async (typed, answer) => {
    const call = cli.run(['call', 'edit', THREE, ...WAIT])
    const [id = ''] = await asked()
    const { out, err } = await cli.run(['approve', id], {
      person: [typed],
      asks: /Approve\? \(y\/n\/always\/hunks.*\): $/,
    })
    expect(out + err).toContain(`✓ ${id} was answered ${answer}`)
    expect((await call).code).toBe(answer === 'yes' ? 0 : 3)
    expect(cli.workspace.read('long.txt').match(/LINE/g)?.length ?? 0).toBe({ 1: 1, y: 3 }[typed] ?? 0)
  })

  it('leaves a question open that a person at a terminal does not answer', async () => {
    const call = cli.run(['call', 'edit', EDIT, ...WAIT])
    const [id = ''] = await asked()
    for (const person of [['perhaps'], [undefined]])
      expect((await cli.run(['approve', id], { person, asks: /Approve\? .*: $/ })).err).toContain('still open')
    expect((await listed()).length).toBe(1)
    await cli.run(['approve', id, '--no'])
    await call
  })

  it.each([
    [['--yes'], 'Name the question'],
    [['abcd', '--yes', '--no'], 'Give one of'],
    [['abcd', '--no', '--hunks', '1'], 'Give one of'],
    [['abcd', '--hunks', 'all'], '--hunks takes numbers'],
    [['abcd', '--reason', 'why'], '--reason goes with an answer'],
    [['abcd', 'more'], 'takes one id'],
  ])('refuses %j', async (args, words) => {
    expect(await cli.run(['approve', ...args])).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  })

  it('does not know another id', async () => {
    expect(await cli.run(['approve', 'abcd', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no question 'abcd' here"),
    })
  })

  it.each([['5'], ['0s'], ['25h'], ['soon']])('takes a time to wait, not %s', async time => {
    expect((await cli.run(['call', 'edit', EDIT, '--wait-for-approval', time])).code).toBe(2)
  })

  const ROUNDS = LONG ? 200 : 20

  it(`lets a terminal or approve answer first, ${ROUNDS} times, and tells the other by whom`, async () => {
    const winners = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const name = `${round}.txt`
      const input = JSON.stringify({ path: name, content: 'x', expect: 'absent' })
      const call = cli.run(['call', 'write', input], { person: ['y'] })
      const other = async (): Promise<string> => {
        for (;;) {
          const [id] = (await listed()).map(each => each.id)
          if (id !== undefined) return (await cli.run(['approve', id, '--no'])).err
          if (isDone) return 'too late'
          await new Promise(resolve => setTimeout(resolve, round % 3))
        }
      }
      let isDone = false
      const [{ code, err }, refusal] = await Promise.all([call.finally(() => (isDone = true)), other()])
      const landed = readdirSync(cli.workspace.path).includes(name)
      expect(landed).toBe(code === 0)
      if (landed) expect(refusal).toMatch(/was answered yes by ada|too late/)
      else expect(err).toContain(`Answered no by ${me}`)
      winners.add(landed ? 'terminal' : 'approve')
    }
    expect(winners.size).toBeGreaterThan(0)
  })

  it('closes a question whose process was killed, and lands nothing', async () => {
    const { child, ended } = otherProcess()
    const [id = ''] = await asked()
    child.kill('SIGKILL')
    await ended
    expect(await cli.run(['approve', id, '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('was closed because the program that asked has ended'),
    })
    expect(await listed()).toEqual([])
    expect(cli.workspace.read('a.txt')).toBe('one\n')
  })

  it('uses an accepted answer whose asker was killed for the same call, once', async () => {
    const { child, ended } = otherProcess()
    const [id = ''] = await asked()
    child.kill('SIGSTOP')
    expect((await cli.run(['approve', id, '--yes'])).code).toBe(0)
    child.kill('SIGKILL')
    await ended
    expect(cli.workspace.read('a.txt')).toBe('one\n')
    expect((await cli.run(['call', 'edit', EDIT, ...WAIT])).code).toBe(0)
    expect(cli.workspace.read('a.txt')).toBe('uno\n')
    cli.workspace.write('a.txt', 'one\n')
    const again = cli.run(['call', 'edit', EDIT, ...WAIT])
    const [second = ''] = await asked()
    await cli.run(['approve', second, '--no'])
    expect((await again).code).toBe(3)
  })

  it('is out of reach of a sandboxed command, which can neither read nor answer a question', async () => {
    const waiting = cli.run(['call', 'edit', EDIT, ...WAIT])
    const [id = ''] = await asked()
    const { base } = cli.workspace
    const state = join(base, 'state')
    const script =
      `find '${state}' -type f 2>/dev/null | head; cat '${state}'/workspaces/*/pending.sqlite 2>/dev/null | head -c 100; ` +
      `echo x > '${state}/planted'; TOOLWRIGHT_STATE='${state}' '${process.execPath}' '${CLI}' approve ${id} --yes; true`
    const { code, out } = await cli.run(['call', 'run', JSON.stringify({ command: script }), '--yes', '--json'])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('SQLite format') })
    expect(out).not.toContain(id + ' was answered')
    expect(readdirSync(state)).not.toContain('planted')
    expect(await listed()).toMatchObject([{ id, state: 'open' }])
    await cli.run(['approve', id, '--no'])
    await waiting
    const [key = ''] = readdirSync(join(state, 'workspaces'))
    expect(readFileSync(join(state, 'workspaces', key, 'pending.sqlite'), 'latin1')).toContain('SQLite format')
    expect(cli.workspace.read('a.txt')).toBe('one\n')
  })
})
