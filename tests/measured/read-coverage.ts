import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptCoverage } from './line-coverage.ts'

/** What V8 counted while one test file ran. */
export interface Coverage {
  readonly testFile: string
  readonly scripts: readonly ScriptCoverage[]
}

/** What was counted into a folder; throws where one of these test files left nothing there. */
export function readCoverage(folder: string, testFiles: readonly string[]): readonly ScriptCoverage[] {
  const taken: readonly Coverage[] = existsSync(folder)
    ? readdirSync(folder).map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    : []
  const missing = testFiles.filter(file => !taken.some(({ testFile }) => testFile === file))
  if (missing.length > 0) throw new Error(`No coverage was taken of ${missing.join(', ')}`)
  return taken.flatMap(({ scripts }) => scripts)
}
