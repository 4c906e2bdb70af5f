import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serverMemory } from '../../servers/server-memory.ts'
import { openGraphHost, type GraphHost } from './graph-host.ts'
import type { Tree } from './messages.ts'

const LIMIT = { timeoutMs: 30_000 }

let directory: string
let host: GraphHost

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolwright-graph-host-'))
  host = openGraphHost(directory, process.env, serverMemory())
})

afterEach(async () => {
  await host.close()
  rmSync(directory, { recursive: true })
})

describe('the process for graphs', () => {
  it('is replaced if it ended without an exit event so far', async () => {
    const key = await host.prepare(tree('one'), LIMIT)
    for (const name of ['two', 'three']) {
      end(host.running()[0]?.pid ?? 0)
      expect(await host.prepare(tree(name), LIMIT)).not.toBe(key)
    }
  })

  it('makes one graph after another', async () => {
    await host.prepare(tree('first'), LIMIT)
    const [first] = host.running()
    const names = Array.from({ length: 8 }, (_, at) => `f${at}`)
    const keys = await Promise.all(names.map(name => host.prepare(tree(name), LIMIT)))
    expect(new Set(keys).size).toBe(names.length)
    expect(host.running()).toMatchObject([{ pid: first?.pid }])
  })

  it('answers a request that arrives while it is being ended', async () => {
    await host.prepare(tree('one'), LIMIT)
    process.kill(host.running()[0]?.pid ?? 0, 'SIGKILL')
    const keys = await Promise.all(['two', 'three', 'two'].map(name => host.prepare(tree(name), LIMIT)))
    expect(new Set(keys).size).toBe(2)
  })
})

/** Ends a process and holds this one up, so that its exit is heard of only later. */
function end(pid: number): void {
  process.kill(pid, 'SIGKILL')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
}

const tree = (name: string): Tree => ({
  directory,
  from: 'disk',
  files: [{ path: 'a.ts', bytes: Buffer.from(`export function ${name}() {}\n`) }],
})
