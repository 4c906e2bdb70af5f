// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { connect, type Connected } from './connect.ts'
import { isRunning } from './is-running.ts'

const it = needs('bubblewrap')

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
})
afterEach(() => workspace.remove())

const BASH = ['--contract', 'sage', '--allow', 'exec', '--allow', 'fs:write:**']
/** A length of sleep that nobody else on the machine asks for. */
const LONG = `${600 + process.pid / 1e7}`

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < 500 && !holds(); waited++) await pause(20)
}

describe.each(['modern', '2025-06-18'] as const)('a command over MCP in the protocol %s', protocol => {
  /** For those that leave it alive. */
  let place: TemporaryWorkspace
  let server: Connected
  beforeAll(async () => {
    place = temporaryWorkspace({ 'a.txt': 'one\n' })
    server = await connect(place, { protocol, args: BASH })
  })
  afterAll(async () => {
    await server.client.close()
    await place.remove()
  })

  it('tells what it prints while it runs', async () => {
    const told: (string | undefined)[] = []
    const counts: number[] = []
    const command = 'echo first; sleep 0.6; echo second; sleep 0.6; echo third'
    const { structured } = await server.call(
      'Bash',
      { command },
      {
        onprogress({ progress, message }) {
          told.push(message)
          counts.push(progress)
        },
      },
    )
    expect(structured.data.stdout).toBe('first\nsecond\nthird\n')
    expect(told).toEqual(expect.arrayContaining(['first', 'second']))
    expect(counts).toEqual([...new Set(counts)].toSorted((one, other) => one - other))
  })

  it('ends with all that it started when the client cancels it', async () => {
    const controller = new AbortController()
    const command = `echo x > b.txt; setsid sleep ${LONG} & sleep ${LONG}`
    const call = server.call('Bash', { command }, { signal: controller.signal })
    await until(() => isRunning(`sleep ${LONG}`))
    expect(isRunning(`sleep ${LONG}`)).toBe(true)
    controller.abort()
    await expect(call).rejects.toThrow('aborted')
    await until(() => !isRunning(`sleep ${LONG}`))
    expect(isRunning(`sleep ${LONG}`)).toBe(false)
    expect(readdirSync(place.path)).toEqual(['a.txt'])
  })

  it('is gone with a server that is killed', async () => {
    const killed = await connect(workspace, { protocol, args: BASH })
    const call = killed.call('Bash', { command: `sleep ${LONG}` }).catch(() => 'over')
    await until(() => isRunning(`sleep ${LONG}`))
    process.kill(killed.pid, 'SIGKILL')
    expect(await call).toBe('over')
    await until(() => !isRunning(`sleep ${LONG}`))
    expect(isRunning(`sleep ${LONG}`)).toBe(false)
    await killed.client.close()
  })
})

it('a refused command line names every permission that it needs at once', async () => {
  const call = { command: 'ls; pwd | wc -l' }
  await using refusing = await connect(workspace)
  const { isError, structured } = await refusing.call('run', call)
  expect([isError, structured.error.details.permissions]).toEqual([true, ['exec:ls', 'exec:pwd', 'exec:wc -l']])
  const options = [...structured.error.hint.matchAll(/--allow '([^']+)'/g)].map(([, permission]) => permission)
  await using allowing = await connect(workspace, { args: options.flatMap(each => ['--allow', each]) })
  expect(await allowing.call('run', call)).toMatchObject({ isError: false, structured: { data: { exitCode: 0 } } })
})
