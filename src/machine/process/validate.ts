import { spawn } from 'node:child_process'
import type { Validated, Validator } from '../workspace/validators.ts'
import { fixedEnvironment } from './fixed-environment.ts'
import { withSeeds, writeSeeds } from './sandbox/seeds.ts'

const MOST_OUTPUT = 32 * 1024

/** Variables that a validator may see; none is a secret of ours. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TERM', 'USER', 'SystemRoot']

/** Runs all validators in a directory, one after another, so that one result names every failure. */
export async function runValidators(
  directory: string,
  validators: readonly Validator[],
  { fixed = false }: { readonly fixed?: boolean } = {},
): Promise<Validated[]> {
  const results: Validated[] = []
  for (const validator of validators) results.push(await runOne(directory, validator, fixed))
  return results
}

function runOne(directory: string, { name, command, timeoutMs }: Validator, fixed: boolean): Promise<Validated> {
  const [program = '', ...args] = command
  const startTime = performance.now()
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    const finish = (passed: boolean, note = '') => {
      clearTimeout(timer)
      seeds?.remove()
      const text = Buffer.concat(chunks).subarray(-MOST_OUTPUT).toString() + note
      resolve({ name, passed, output: text, durationMs: fixed ? 0 : Math.round(performance.now() - startTime) })
    }
    // A separate group, so that the time limit ends its children too.
    const seeds = fixed ? writeSeeds() : undefined
    const child = spawn(program, args, {
      cwd: directory,
      env: { ...environment(), ...(seeds && withSeeds(fixedEnvironment(), seeds.path)) },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const end = () => {
      if (child.pid !== undefined) endGroup(child.pid)
      // A process that left the group may hold the pipes open; it is not awaited.
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, LAST_WORDS_MS).unref()
    }
    let late = false
    const timer = setTimeout(() => {
      late = true
      end()
    }, timeoutMs)
    const keep = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      while (bytes > 4 * MOST_OUTPUT && chunks.length > 1) bytes -= chunks.shift()?.length ?? 0
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', error => finish(false, `Could not run ${program}: ${error.message}\n`))
    child.on('exit', end)
    child.on('close', code => finish(code === 0 && !late, late ? `Ended after ${timeoutMs / 1000} s\n` : ''))
  })
}

/** Final output may still be on its way after the exit. */
const LAST_WORDS_MS = 200

/** Kills every process of a group, if it still exists. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const environment = (): Record<string, string> =>
  Object.fromEntries(PASSED_ON.flatMap(key => (process.env[key] === undefined ? [] : [[key, process.env[key]]])))
