import { describe, expect, it } from 'vitest'
import { useCli } from '../cli/rig.ts'
import { gone, processesFor } from './rig.ts'

const cli = useCli({ 'a.txt': 'one\n', 'src/b.ts': 'export const b = 1\n' })

const statusOf = async () => JSON.parse((await cli.run(['up', '--status', '--json'])).out)

describe('toolwright up', () => {
  it('starts the process, says what it holds, and starts no second one', async () => {
    const first = await cli.run(['up'])
    expect([first.code, first.err]).toEqual([0, ''])
    expect(first.out).toMatch(/^✓ Process \d+ \(toolwright \d+\.\d+\.\d+\) holds .*workspace, since \d+ seconds?\n/)
    expect(first.out).toContain('it ends after 10 minutes without any')
    const { pid, root } = await statusOf()
    expect(root).toBe(cli.workspace.path)
    const again = await cli.run(['up', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ pid, root, clients: 1 })
    expect((await cli.run(['up', '--stop'])).out).toBe(`Process ${pid} was asked to end\n`)
    expect(await gone(pid)).toBe(true)
  })

  it('reports that there is none, without starting one', async () => {
    const { code, out } = await cli.run(['up', '--status'])
    expect([code, out]).toEqual([1, expect.stringContaining('No process holds')])
    expect(await cli.run(['up', '--status', '--json'])).toMatchObject({ code: 1, out: 'null\n' })
    expect(await cli.run(['up', '--stop'])).toMatchObject({ code: 0, out: 'There is none to stop\n' })
    expect(await cli.run(['up', '--stop', '--json'])).toMatchObject({ code: 0, out: '{"stopped":null}\n' })
    expect(await cli.run(['down', '--json'])).toMatchObject({ code: 0, out: '{"stopped":null}\n' })
  })

  it('takes its bounds from the configuration', async () => {
    cli.configure({ resident: { idleMinutes: 2, memoryMB: 64 } })
    const { out } = await cli.run(['up', '--json'])
    const { pid, idleMs } = JSON.parse(out)
    expect(idleMs).toBe(120_000)
    expect((await cli.run(['down'])).code).toBe(0)
    expect(await gone(pid)).toBe(true)
  })

  it('refuses what it does not understand', async () => {
    for (const args of [
      ['up', 'now'],
      ['up', '--stop', '--status'],
      ['up', '--port', '80'],
    ])
      expect(await cli.run(args)).toMatchObject({ code: 2, err: expect.stringContaining('toolwright help up') })
  })

  it('says which process does not answer, ends with 1, and starts none beside it', async () => {
    const { pid } = JSON.parse((await cli.run(['up', '--json'])).out)
    process.kill(pid, 'SIGSTOP')
    try {
      const started = new Set<number>()
      const looking = setInterval(() => processesFor(cli.workspace.path).forEach(one => started.add(one)), 20)
      for (const args of [['up', '--stop'], ['up', '--status', '--json'], ['up']]) {
        const { code, out, err } = await cli.run(args)
        expect([code, out]).toEqual([1, ''])
        expect(err).toContain(`Process ${pid} holds the index of this workspace, but does not respond`)
        expect(err).toContain(`kill -KILL ${pid}`)
      }
      clearInterval(looking)
      expect([...started]).toEqual([pid])
      const { out } = await cli.run(['doctor', '--json'])
      expect(JSON.parse(out)).toContainEqual({
        about: 'Resident',
        state: 'limited',
        text: expect.stringContaining(`Process ${pid} `),
      })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    expect((await cli.run(['up', '--stop'])).out).toBe(`Process ${pid} was asked to end\n`)
    expect(await gone(pid)).toBe(true)
  })

  it('is known to doctor', async () => {
    const found = async () =>
      JSON.parse((await cli.run(['doctor', '--json'])).out).find((one: { about: string }) => one.about === 'Resident')
    expect(await found()).toMatchObject({ state: 'good', text: expect.stringContaining('no process holds') })
    const { pid } = JSON.parse((await cli.run(['up', '--json'])).out)
    expect(await found()).toMatchObject({ state: 'good', text: expect.stringContaining(`process ${pid} holds`) })
    await cli.run(['up', '--stop'])
    expect(await gone(pid)).toBe(true)
  })
})
