import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TemporaryWorkspace } from '../src/testing/temporary-workspace.ts'

/** The command as users have it. */
export const CLI = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url))
const COMPILED = fileURLToPath(new URL('../dist/compiled', import.meta.url))

/** Throws if there is no build. */
export function demandBuilt(): void {
  if (!existsSync(CLI)) throw new Error('There is no dist/: run npm run build first')
}

/** Removes the code that earlier runs of the command compiled, so that only those of this bench matter. */
export function forgetCompiled(): void {
  demandBuilt()
  rmSync(COMPILED, { recursive: true, force: true })
}

/** Runs node in a workspace to its end, and returns what it printed. Throws if it fails. */
export const nodeIn =
  ({ path, env }: Pick<TemporaryWorkspace, 'path' | 'env'>) =>
  (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: path,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
    return stdout
  }
