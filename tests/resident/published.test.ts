import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { connect } from '../mcp/connect.ts'
import { gone, processesFor, useWorlds } from './rig.ts'

const worlds = useWorlds()

describe('the published server', () => {
  it('starts the process with the first search and not before, one for two clients, and leaves it to its state', async () => {
    const world = worlds.make({ 'a.txt': 'needle\n' })
    const place = join(world.state.path, 'resident')
    await using one = await connect(world.workspace, { args: ['--contract', 'cli-agent'] })
    await using other = await connect(world.workspace, { args: ['--contract', 'cli-agent'] })
    await one.call('read_file', { path: 'a.txt' })
    expect(existsSync(place)).toBe(false)
    const ask = { pattern: 'needle' }
    const [scanned] = await Promise.all([one.call('grep_search', ask), other.call('grep_search', ask)])
    expect(scanned.text).toContain('needle')
    for (let turn = 0; turn < 600 && !isListening(place); turn++) await pause(20)
    expect(isListening(place)).toBe(true)
    expect(lasting(await one.call('grep_search', ask))).toEqual(lasting(scanned))
    expect(lasting(await other.call('grep_search', ask))).toEqual(lasting(scanned))
    const pids = processesFor(world.workspace.path)
    expect(pids).toHaveLength(1)
    expect([one.errors(), other.errors()]).toEqual(['', ''])
    await world.workspace.remove()
    for (const pid of pids) expect(await gone(pid)).toBe(true)
  })
})

const isListening = (place: string): boolean =>
  existsSync(place) && readdirSync(place).some(name => name.endsWith('.sock'))

/** All but the time that it took. */
const lasting = ({ text }: { readonly text: string }): object => ({ ...JSON.parse(text), execution_time_ms: 0 })
