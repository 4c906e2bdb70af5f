import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findCgroup, openCell } from './cgroup.ts'

const limits = {
  wallMs: 1000,
  cpuSeconds: 1,
  memoryBytes: 2 ** 28,
  processes: 64,
  fileBytes: 2 ** 20,
  outputBytes: 2 ** 20,
  tmpBytes: 2 ** 20,
  writtenBytes: 2 ** 31,
}

describe('cgroups of our own', () => {
  let at: string
  beforeEach(() => {
    at = mkdtempSync(join(tmpdir(), 'toolwright-test-'))
  })
  afterEach(() => rmSync(at, { recursive: true, force: true }))

  it('are not found where none can be made', () => {
    expect(findCgroup(at, '0::/user.slice/session.scope\n')).toBeUndefined()
    expect(findCgroup(at, '')).toBeUndefined()
  })

  it('are not used where they count nothing, and nothing is left of the attempt', () => {
    mkdirSync(join(at, 'user.slice/session.scope'), { recursive: true })
    expect(findCgroup(at, '0::/user.slice/session.scope\n')).toBeUndefined()
    expect(readdirSync(join(at, 'user.slice'))).toEqual(['session.scope'])
  })

  it('limit processes and memory, and hold the command', async () => {
    const hierarchies = [{ directory: at, memory: 'second', pids: true }] as const
    const cell = openCell({ hierarchies, memory: true, pids: true, quick: false }, limits)
    const [name = ''] = readdirSync(at)
    const written = (file: string) => readFileSync(join(at, name, file), 'utf8')
    expect(await new Promise(resolve => cell.join(4711, resolve))).toBeNull()
    expect(written('pids.max')).toBe('65')
    expect(written('memory.max')).toBe(String(2 ** 28))
    expect(written('cgroup.procs')).toBe('4711')
    writeFileSync(join(at, name, 'memory.events'), 'oom 1\noom_kill 0\n')
    expect(cell.ranOutOfMemory()).toBe(false)
    writeFileSync(join(at, name, 'memory.events'), 'oom 1\noom_kill 3\n')
    expect(cell.ranOutOfMemory()).toBe(true)
    for (const file of readdirSync(join(at, name))) rmSync(join(at, name, file))
    cell.remove()
    expect(existsSync(join(at, name))).toBe(false)
  })

  it('are one for each controller in the first version, and both are entered', () => {
    for (const controller of ['pids', 'memory']) mkdirSync(join(at, controller))
    const hierarchies = [
      { directory: join(at, 'pids'), memory: undefined, pids: true },
      { directory: join(at, 'memory'), memory: 'first', pids: false },
    ] as const
    const cell = openCell({ hierarchies, memory: true, pids: true, quick: true }, limits)
    const [inPids = '', inMemory = ''] = cell.entries
    expect([inPids, inMemory].map(entry => entry.replace(/toolwright-\d+-[0-9a-f]{12}/, 'X'))).toEqual([
      join(at, 'pids/X/tasks'),
      join(at, 'memory/X/tasks'),
    ])
    expect(readFileSync(join(inPids, '../pids.max'), 'utf8')).toBe('65')
    expect(readFileSync(join(inMemory, '../memory.limit_in_bytes'), 'utf8')).toBe(String(2 ** 28))
    writeFileSync(join(inMemory, '../memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 0\n')
    expect(cell.ranOutOfMemory()).toBe(false)
    writeFileSync(join(inMemory, '../memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 2\n')
    expect(cell.ranOutOfMemory()).toBe(true)
  })
})
