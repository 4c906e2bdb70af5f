import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, type afterAll } from 'vitest'
import type { Connection } from '../../src/service/connect.ts'
import { ensureResident, type StartOptions } from '../../src/service/start.ts'
import { workspaceState, type WorkspaceState } from '../../src/machine/state/directory.ts'
import { isRunning } from '../../src/machine/state/process-identity.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

export const SOON = { timeoutMs: 60_000 }

export interface World {
  readonly workspace: TemporaryWorkspace
  readonly state: WorkspaceState
  options(more?: Partial<StartOptions['settings']>): StartOptions
  start(more?: Partial<StartOptions['settings']>): Promise<Connection>
}

/** Workspaces with processes; after each test, or after all, every process that was seen must be gone with the state that it lives by. */
export function useWorlds(after: typeof afterEach | typeof afterAll = afterEach) {
  const worlds: World[] = []
  const pids = new Set<number>()
  after(async () => {
    for (const { workspace } of worlds.splice(0)) await workspace.remove()
    const left = [...pids]
    pids.clear()
    for (const pid of left) if (!(await gone(pid))) throw new Error(`Process ${pid} is still there`)
  }, 600_000)
  return {
    seen: (pid: number) => void pids.add(pid),
    make(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): World {
      const workspace = temporaryWorkspace(files)
      const state = workspaceState(workspace.path, workspace.env)
      const options: World['options'] = more => ({
        state: state.path,
        env: workspace.env,
        settings: { root: workspace.path, key: state.key, idleMs: 60_000, memoryBytes: 100_000_000, ...more },
        timeoutMs: 30_000,
      })
      const start: World['start'] = async more => {
        const connection = await ensureResident(options(more))
        pids.add(connection.pid)
        return connection
      }
      const world = { workspace, state, options, start }
      worlds.push(world)
      return world
    },
  }
}

export const isAlive = (pid: number): boolean => isRunning({ pid, start: '' })

/** False if the process is still there after a while. */
export async function gone(pid: number, withinMs = 10_000): Promise<boolean> {
  for (const until = Date.now() + withinMs; Date.now() < until; await pause(10)) if (!isAlive(pid)) return true
  return false
}

/** Every process that holds this workspace or is about to, by its arguments. */
export function processesFor(root: string): number[] {
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      // Options of Node stand before the program.
      const [program = '', settings = ''] = readFileSync(`/proc/${name}/cmdline`, 'utf8')
        .split('\0')
        .slice(1)
        .filter(word => !word.startsWith('--'))
      return /resident(\/main\.ts|\.cjs)$/.test(program) && settings.includes(JSON.stringify(root))
        ? [Number(name)]
        : []
    } catch {
      return []
    }
  })
}
