import { groupOf, suiteOf, suites } from '../tests/suites.ts'
import { relative, sep } from 'node:path'
import type { Report } from './test-summary.ts'
import type { VitestRun } from './vitest-run.ts'

/** So many failing files are no accident of a busy machine: the run is red without a second look. */
export const MOST_FILES = 10

type FileResult = Report['testResults'][number]

/** A file that failed beside others and passed alone, with what both runs printed of it. */
export interface UnstableFile {
  readonly file: string
  readonly tests: readonly string[]
  readonly first: string
  readonly second: string
}

export interface SecondRuns {
  /** The run as it counts: a file that passed alone has its second result. */
  readonly run: VitestRun
  readonly unstable: readonly UnstableFile[]
}

/** Runs each test file that failed once more, alone, and tells those that pass then from those that are broken. */
export async function secondRuns(
  first: VitestRun,
  root: string,
  runAlone: (file: string) => Promise<VitestRun>,
): Promise<SecondRuns> {
  const nameOf = (path: string): string => relative(root, path).split(sep).join('/')
  const failing = failingFiles(first)
  if (!failing || failing.length === 0 || failing.length > MOST_FILES) return { run: first, unstable: [] }

  const passed = new Map<string, FileResult>()
  const unstable: UnstableFile[] = []
  for (const path of failing.toSorted((one, other) => placeOf(nameOf(one)) - placeOf(nameOf(other)))) {
    const before = first.report.testResults.find(({ name }) => name === path)
    const alone = await runAlone(nameOf(path))
    const after = alone.report.testResults.find(({ name }) => name === path)
    if (alone.exitCode !== 0 || !after || !passesAll(after, before)) continue
    passed.set(path, after)
    unstable.push({
      file: nameOf(path),
      tests: failedTests(before).map(({ fullName }) => fullName),
      first: messagesOf(first, path, before),
      second: alone.output,
    })
  }
  const testResults = first.report.testResults.map(result => withSecondResult(result, passed))
  const exitCode = passed.size === failing.length ? 0 : first.exitCode
  return { run: { ...first, exitCode, report: { testResults } }, unstable }
}

/** The paths of the files that failed. Undefined if something failed that belongs to no file. */
function failingFiles({ exitCode, report, strays }: VitestRun): readonly string[] | undefined {
  if (exitCode === 0) return []
  const files = report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  const strayFiles = strays.flatMap(({ file }) => file ?? [])
  const all = [...new Set([...files, ...strayFiles])]
  return all.length === 0 || strayFiles.length < strays.length ? undefined : all
}

const failedTests = (result: FileResult | undefined): FileResult['assertionResults'] =>
  (result?.assertionResults ?? []).filter(({ status }) => status === 'failed')

/** Reports whether every test passed, and none is missing or left out that ran before. */
function passesAll({ status, assertionResults }: FileResult, before: FileResult | undefined): boolean {
  const names = new Set(assertionResults.filter(test => test.status === 'passed').map(({ fullName }) => fullName))
  const ran = (before?.assertionResults ?? []).filter(test => test.status === 'passed' || test.status === 'failed')
  return status === 'passed' && names.size > 0 && ran.every(({ fullName }) => names.has(fullName))
}

const messagesOf = (first: VitestRun, path: string, before: FileResult | undefined): string =>
  [
    ...failedTests(before).map(({ fullName, failureMessages = [] }) => [fullName, ...failureMessages].join('\n')),
    ...(before?.message ? [before.message] : []),
    ...first.strays.filter(({ file }) => file === path).map(({ message }) => message),
  ].join('\n\n')

/** The second result, at the time of the first: the times of the suites are those of the whole run. */
function withSecondResult(result: FileResult, passed: ReadonlyMap<string, FileResult>): FileResult {
  const second = passed.get(result.name)
  return second ? { ...second, endTime: result.endTime } : result
}

/** A suite that judges what others counted comes after them. */
const placeOf = (file: string): number => groupOf(suites.findIndex(({ name }) => name === suiteOf(file)))
