import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { handOver, run } from './run.mjs'
import type { StrayError } from './stray-errors.ts'
import type { Report } from './test-summary.ts'

export interface VitestRun {
  readonly exitCode: number
  readonly report: Report
  readonly strays: readonly StrayError[]
  /** What it printed, if that was not printed on this terminal. */
  readonly output: string
}

export interface VitestOptions {
  /** The folder of `vitest.config.ts`. */
  readonly root: string
  /** For what the run reports; its files have the name of the run. */
  readonly folder: string
  readonly name: string
  readonly env: NodeJS.ProcessEnv
  /** Keeps what it prints instead of printing it. */
  readonly quiet?: boolean
}

/** Runs vitest with these arguments, and reads its report. */
export async function runVitest(
  args: readonly string[],
  { root, folder, name, env, quiet = false }: VitestOptions,
): Promise<VitestRun> {
  const [reportFile, strayFile] = [join(folder, `${name}.json`), join(folder, `${name}-strays.json`)]
  const command = [
    join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--reporter=${join(import.meta.dirname, 'stray-errors.ts')}`,
    `--outputFile.json=${reportFile}`,
    ...args,
  ]
  const options = { cwd: root, env: { ...env, TOOLWRIGHT_STRAY_ERRORS: strayFile } }
  const { code, output } = quiet
    ? await run(process.execPath, command, options)
    : { code: await handOver(process.execPath, command, options), output: '' }
  const report: Report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : { testResults: [] }
  const strays: readonly StrayError[] = existsSync(strayFile) ? JSON.parse(readFileSync(strayFile, 'utf8')) : []
  return { exitCode: code, report, strays, output }
}
