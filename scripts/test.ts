import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suiteOf } from '../tests/suites.ts'
import { changedTests } from './changed-tests.ts'
import { at, root } from './root.mjs'
import { say, Stop } from './say.mjs'
import { secondRuns, type UnstableFile } from './second-runs.ts'
import { howTo, missing, wanted } from './system-packages.mjs'
import { summarize, type Summary } from './test-summary.ts'
import { runVitest, type VitestRun } from './vitest-run.ts'

/** Judges which lines of the contracts ran. */
const JUDGE = 'tests/measured/contracts.test.ts'

/** The folder of what unstable test files printed in the last whole run. */
const UNSTABLE = ['.cache', 'unstable']

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

/** Runs the tests; the last line, alone, says how many passed and failed. */
async function runTests(args: readonly string[], isWhole: boolean): Promise<number> {
  const start = Date.now()
  const env = { ...testEnvironment(), TOOLWRIGHT_COVERAGE: isWhole ? join(folder, 'coverage') : '' }
  if (isWhole) rmSync(at(...UNSTABLE), { recursive: true, force: true })
  const first = await runVitest(args, { root, folder, name: 'report', env })
  // Who chooses tests works on them, and wants to see a failure at once.
  const { run, unstable } = isWhole
    ? await secondRuns(first, root, file => runAlone(file, env))
    : { run: first, unstable: [] }
  const { exitCode } = run
  const summary = summarize(run.report, { root, start, exitCode })
  // A name pattern leaves out everything else on purpose.
  const chosen = args.some(arg => arg === '-t' || arg.startsWith('--testNamePattern'))
  const leftOut = chosen ? [] : summary.leftOut
  const forbidden = process.env['TOOLWRIGHT_NO_SKIP'] === '1' && leftOut.length > 0

  printSlowest(summary)
  printSuites(summary)
  printLeftOut(leftOut, forbidden)
  printUnstable(unstable)
  if (summary.passed + summary.failed === 0) console.log('No test ran.')
  const skipped = leftOut.length > 0 ? `, ${leftOut.length} skipped` : ''
  console.log(`${summary.passed} passed, ${summary.failed} failed${skipped}`)

  if (exitCode !== 0) return exitCode
  return summary.failed > 0 || summary.passed === 0 || forbidden ? 1 : 0
}

/** Runs one file that failed beside others; a failure is printed once more. */
async function runAlone(file: string, env: NodeJS.ProcessEnv): Promise<VitestRun> {
  say(`${file} failed. It runs once more, alone.`)
  const name = file.replaceAll('/', '-')
  const run = await runVitest([at(file)], { root, folder, name, env, quiet: true })
  console.log(run.output)
  return run
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

/** Names the files that passed only alone, and keeps what both runs printed of them. */
function printUnstable(unstable: readonly UnstableFile[]): void {
  if (unstable.length === 0) return
  console.log(`unstable: failed once, then passed alone. Both outputs are in ${join(...UNSTABLE)}.`)
  mkdirSync(at(...UNSTABLE), { recursive: true })
  for (const { file, tests, first, second } of unstable) {
    const name = file.replaceAll('/', '-')
    writeFileSync(at(...UNSTABLE, `${name}.1.txt`), `${first}\n`)
    writeFileSync(at(...UNSTABLE, `${name}.2.txt`), `${second}\n`)
    console.log(`  ${file}${tests.length > 0 ? `: ${tests.join('; ')}` : ''}`)
  }
}

function printLeftOut(leftOut: readonly string[], forbidden: boolean): void {
  if (leftOut.length === 0) return
  console.log(`Left out${forbidden ? ', which TOOLWRIGHT_NO_SKIP=1 forbids' : ''}:`)
  for (const name of leftOut) console.log(`  ${name}`)
  const absent = missing(wanted.test)
  if (absent.length > 0) console.log(`Not installed: ${absent.join(', ')}. ${howTo(absent)}`)
}
