import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A call of `node:fs` with its arguments, its paths from the workspace. */
export type Operation = readonly [call: string, ...args: unknown[]]

export interface AnotherProcess {
  /** Comes back when it has done all of this; what fails is passed over. */
  change(operations: readonly Operation[]): Promise<void>
  end(): void
}

const PROGRAM = `
const fs = require('node:fs')
process.chdir(process.argv[1])
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  for (const [call, ...args] of JSON.parse(line)) try { fs[call](...args) } catch {}
  fs.writeSync(1, 'done\\n')
})`

/** A process that changes files without reporting it. */
export function anotherProcess(directory: string): AnotherProcess {
  const child = spawn(process.execPath, ['-e', PROGRAM, directory], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: (() => void)[] = []
  createInterface({ input: child.stdout }).on('line', () => waiting.shift()?.())
  return {
    change: operations =>
      new Promise(resolve => {
        waiting.push(resolve)
        child.stdin.write(`${JSON.stringify(operations)}\n`)
      }),
    end: () => child.stdin.end(),
  }
}
