import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../src/config/load.ts'
import type { ResidentStatus } from '../src/service/status.ts'
import { ensureResident } from '../src/service/start.ts'
import { workspaceState, type Environment } from '../src/machine/state/directory.ts'

/** The process of a workspace, started and current, until it is disposed of. */
export interface WarmResident extends AsyncDisposable {
  status(): Promise<ResidentStatus>
}

const START_MS = 60_000
const ASK = { timeoutMs: 10_000 }

/** Starts the process of a workspace and waits until it knows every file. */
export async function warmResident(root: string, env: Environment): Promise<WarmResident> {
  const state = workspaceState(root, env)
  const { config } = await loadConfig(state.root, env, {})
  const settings = { root: state.root, key: state.key, ...config.resident }
  const line = await ensureResident({ state: state.path, env, settings, timeoutMs: START_MS })
  const status = () => line.ask<ResidentStatus>('status', {}, ASK)
  const isCurrent = async () => (await status()).parts.every(part => part.state === 'current')
  while (!(await isCurrent())) await pause(100)
  return {
    status,
    async [Symbol.asyncDispose]() {
      await line.ask('leave', {}, ASK).catch(() => undefined)
      line.close()
    },
  }
}
