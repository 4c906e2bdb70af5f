// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { lineCoverage, type ScriptCoverage } from './line-coverage.ts'
import { readCoverage } from './read-coverage.ts'

const it = needs('bubblewrap')
const ROOT = join(import.meta.dirname, '../..')
const FOLDER = 'src/contracts/cli-agent'
const LEAST = 95

describe('the tests of the cli-agent', () => {
  it('CA-18: run at least 95% of the lines of every file of the contract', { timeout: 600_000 }, () => {
    const runs = coverage()
    const figures = readdirSync(join(ROOT, FOLDER))
      .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map(name => {
        const url = pathToFileURL(join(ROOT, FOLDER, name)).href
        const { lines, covered, missed } = lineCoverage(
          url,
          runs.filter(run => run.url === url),
        )
        return { name, percent: lines === 0 ? 100 : Math.floor((covered / lines) * 1000) / 10, missed }
      })
    for (const { name, percent, missed } of figures)
      console.log(`${name.padEnd(28)} ${percent}%${missed.length > 0 ? `, not line ${missed.join(', ')}` : ''}`)
    expect(figures.filter(({ percent }) => percent < LEAST)).toEqual([])
    expect(figures.length).toBeGreaterThan(10)
  })
})

/** What V8 counted in this run; where only a part of the tests runs, in a run of its own. */
function coverage(): readonly ScriptCoverage[] {
  const testFiles = globSync('tests/conformance/cli-agent/*.test.ts', { cwd: ROOT }).map(file => join(ROOT, file))
  const taken = process.env['TOOLWRIGHT_COVERAGE']
  if (taken) return readCoverage(taken, testFiles)
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-coverage-'))
  try {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--project', 'cli-agent'], {
      cwd: ROOT,
      env: { ...outerEnvironment(), TOOLWRIGHT_COVERAGE: folder, NO_COLOR: '1' },
      encoding: 'utf8',
    })
    expect(status, `${stdout}${stderr}`).toBe(0)
    return readCoverage(folder, testFiles)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A run of tests inside another must not take itself for part of it. */
const outerEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TINYPOOL|NODE_OPTIONS$|TEST$)/.test(name)),
  )
