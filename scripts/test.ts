import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, root } from './root.mjs'
import { handOver } from './run.mjs'
import { howTo, missing, wanted } from './system-packages.mjs'
import { summarize, type Report, type Summary } from './test-summary.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-test-'))
try {
  process.exitCode = await testAll(process.argv.slice(2), join(folder, 'report.json'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs every suite; the last line, alone, says how many tests passed and failed. */
async function testAll(args: readonly string[], reportFile: string): Promise<number> {
  const start = Date.now()
  const vitest = at('node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const exitCode = await handOver(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    env: testEnvironment(),
  })

  const report: Report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : { testResults: [] }
  const summary = summarize(report, { root, start, exitCode })
  // A name pattern leaves out everything else on purpose.
  const chosen = args.some(arg => arg === '-t' || arg.startsWith('--testNamePattern'))
  const leftOut = chosen ? [] : summary.leftOut
  const forbidden = process.env['TOOLWRIGHT_NO_SKIP'] === '1' && leftOut.length > 0

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

function printLeftOut(leftOut: readonly string[], forbidden: boolean): void {
  if (leftOut.length === 0) return
  console.log(`Left out${forbidden ? ', which TOOLWRIGHT_NO_SKIP=1 forbids' : ''}:`)
  for (const name of leftOut) console.log(`  ${name}`)
  const absent = missing(wanted.test)
  if (absent.length > 0) console.log(`Not installed: ${absent.join(', ')}. ${howTo(absent)}`)
}
