import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suiteOf } from '../tests/suites.ts'
import { changedTests } from './changed-tests.ts'
import { at, root } from './root.mjs'
import { handOver } from './run.mjs'
import { say, Stop } from './say.mjs'
import { howTo, missing, wanted } from './system-packages.mjs'
import { summarize, type Report, type Summary } from './test-summary.ts'

/** Judges which lines of the contracts ran. */
const JUDGE = 'tests/measured/contracts.test.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-test-'))
try {
  process.exitCode = await test(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Stop)) throw error
  say(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs every suite, or what the arguments choose. */
async function test(args: readonly string[]): Promise<number> {
  const changed = changedTests(root, args)
  if (!changed) return runTests(args, args.length === 0)
  const { all, since } = changed
  const covered = globSync('tests/**/*.test.ts', { cwd: root }).filter(file => suiteOf(file) === 'contracts')
  // What is covered can only be judged by all of them.
  const tests = changed.tests.includes(JUDGE) ? [...new Set([...changed.tests, ...covered])] : changed.tests
  console.log(`Files changed since ${since} can affect ${tests.length} of ${all} test files.`)
  if (tests.length === 0) {
    console.log('No test can be affected.\n0 passed, 0 failed')
    return 0
  }
  const isCovered = covered.every(file => tests.includes(file))
  const chosen = tests.length === all ? [] : tests.map(file => at(file))
  return runTests([...chosen, ...changed.args], isCovered && changed.args.length === 0)
}

/** Runs vitest; the last line, alone, says how many tests passed and failed. */
async function runTests(args: readonly string[], takesCoverage: boolean): Promise<number> {
  const start = Date.now()
  const reportFile = join(folder, 'report.json')
  const vitest = at('node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const exitCode = await handOver(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    env: { ...testEnvironment(), TOOLWRIGHT_COVERAGE: takesCoverage ? join(folder, 'coverage') : '' },
  })

  const report: Report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : { testResults: [] }
  const summary = summarize(report, { root, start, exitCode })
  // A name pattern leaves out everything else on purpose.
  const chosen = args.some(arg => arg === '-t' || arg.startsWith('--testNamePattern'))
  const leftOut = chosen ? [] : summary.leftOut
  const forbidden = process.env['TOOLWRIGHT_NO_SKIP'] === '1' && leftOut.length > 0

  printSlowest(summary)
  printSuites(summary)
  printLeftOut(leftOut, forbidden)
  if (summary.passed + summary.failed === 0) console.log('No test ran.')
  const skipped = leftOut.length > 0 ? `, ${leftOut.length} skipped` : ''
  console.log(`${summary.passed} passed, ${summary.failed} failed${skipped}`)

  if (exitCode !== 0) return exitCode
  return summary.failed > 0 || summary.passed === 0 || forbidden ? 1 : 0
}

/** Tests run the same in a production shell, and colour is for terminals. */
function testEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, ...env } = process.env
  return process.stdout.isTTY || env['FORCE_COLOR'] ? env : { ...env, NO_COLOR: '1' }
}

function printSuites({ suites }: Summary): void {
  for (const { name, ms } of suites) console.log(`${name.padEnd(9)} ${(ms / 60_000).toFixed(2)} min`)
}

function printSlowest({ slowest }: Summary): void {
  if (slowest.length > 0) console.log('Slowest tests:')
  for (const { file, name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}: ${name}`)
}

function printLeftOut(leftOut: readonly string[], forbidden: boolean): void {
  if (leftOut.length === 0) return
  console.log(`Left out${forbidden ? ', which TOOLWRIGHT_NO_SKIP=1 forbids' : ''}:`)
  for (const name of leftOut) console.log(`  ${name}`)
  const absent = missing(wanted.test)
  if (absent.length > 0) console.log(`Not installed: ${absent.join(', ')}. ${howTo(absent)}`)
}
