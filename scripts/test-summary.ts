import { relative, sep } from 'node:path'
import { suiteOf, suites } from '../tests/suites.ts'

/** The part of vitest's JSON report that is read here. */
export interface Report {
  readonly testResults: readonly {
    /** Absolute path of the test file. */
    readonly name: string
    readonly endTime: number
    readonly status: string
    /** Why the file failed as a whole. */
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
      /** Absent for a test that did not run. */
      readonly duration?: number | null
    }[]
  }[]
}

export interface Summary {
  /** In the order in which they ran; one without a test in this run is not listed. */
  readonly suites: readonly { readonly name: string; readonly ms: number }[]
  readonly passed: number
  readonly failed: number
  /** `file: test` of each test that did not run. */
  readonly leftOut: readonly string[]
  /** The twenty tests that took longest, the slowest first. */
  readonly slowest: readonly SlowTest[]
}

export interface SlowTest {
  readonly file: string
  readonly name: string
  readonly ms: number
}

export interface Run {
  readonly root: string
  readonly start: number
  readonly exitCode: number
}

/**
 * What a run of the tests came to. A file that fails before its tests exist counts as one failure, and so does a run
 * that ends badly although every test passed.
 */
export const summarize = (report: Report, run: Run): Summary => {
  const files = report.testResults.map(({ name, ...rest }) => ({
    ...rest,
    file: relative(run.root, name).split(sep).join('/'),
  }))
  const tests = files.flatMap(({ file, assertionResults }) => assertionResults.map(test => ({ ...test, file })))
  const count = (status: string): number => tests.filter(test => test.status === status).length
  const broken = files.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(test => test.status === 'failed'),
  )
  const passed = count('passed')
  const failed = count('failed') + broken.length
  return {
    suites: suiteTimes(files, run.start),
    passed,
    failed: failed === 0 && passed > 0 && run.exitCode !== 0 ? 1 : failed,
    leftOut: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ file, fullName }) => `${file}: ${fullName}`),
    slowest: tests
      .map(({ file, fullName, duration }) => ({ file, name: fullName, ms: duration ?? 0 }))
      .filter(({ ms }) => ms > 0)
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, 20),
  }
}

/** A suite begins when files of the one before still run: it lasts from the end of those to the end of its last file. */
const suiteTimes = (
  files: readonly { readonly file: string; readonly endTime: number }[],
  start: number,
): Summary['suites'] => {
  const ended = suites
    .map(({ name }) => ({ name, ends: files.filter(({ file }) => suiteOf(file) === name).map(file => file.endTime) }))
    .filter(({ ends }) => ends.length > 0)
    .map(({ name, ends }) => ({ name, end: Math.max(...ends) }))
  return ended.map(({ name, end }, place) => {
    const before = Math.max(start, ...ended.slice(0, place).map(other => other.end))
    return { name, ms: Math.max(0, end - before) }
  })
}
