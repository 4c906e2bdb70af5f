import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type * as Library from '../src/index.ts'
import type { ResidentStatus } from '../src/service/status.ts'
import type { Environment } from '../src/machine/state/directory.ts'
import type { Toolkit } from '../src/toolkit.ts'

const built = (name: string): string => fileURLToPath(new URL(`../dist/${name}`, import.meta.url))

/** The process of a workspace as users have it, from dist/, until it is disposed of. */
export interface BuiltResident extends AsyncDisposable {
  readonly pid: number
  /** Opens the workspace with the built library, which asks the process. */
  open(): Promise<Toolkit>
}

/** Starts the process of a workspace and waits until it knows every file. */
export async function builtResident(root: string, env: Environment): Promise<BuiltResident> {
  const up = (...args: readonly string[]): string =>
    spawnSync(process.execPath, [built('cli.cjs'), 'up', ...args, '--root', root], { env, encoding: 'utf8' }).stdout
  up()
  const status = (): ResidentStatus => JSON.parse(up('--status', '--json'))
  while (!status().parts.every(part => part.state === 'current')) await pause(100)
  const { openToolkit }: typeof Library = await import(built('index.js'))
  return {
    pid: status().pid,
    open: () => openToolkit({ root, env }),
    async [Symbol.asyncDispose]() {
      up('--stop')
    },
  }
}
