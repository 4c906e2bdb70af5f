import { matchesGlob } from 'node:path/posix'

export interface Suite {
  readonly name: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** So many files at the same time; one unless given. */
  readonly workers?: number
  /** The files of one worker share their modules, which load once. */
  readonly shared?: boolean
  /** Node loads the files as they are written, and `TOOLWRIGHT_COVERAGE` names a folder for what V8 counts. */
  readonly covered?: boolean
  /** Processes and threads of ours start from dist/, in a third of the time that they take from sources. */
  readonly startsBuilt?: boolean
}

/** Files that wait for programs more than they compute: a third one fills the pauses of two. */
const AT_ONCE = 3

/** Set or replace what a module keeps, which others would meet, or measure a thread, which collects the garbage of others. */
const FRESH = [
  'src/guards/policy/command-parser.test.ts',
  'src/guards/shell/parse-line.test.ts',
  'src/knowledge/search/scan.test.ts',
  'tests/cli/index-status.test.ts',
  'tests/conformance/superconnect/no-walk.test.ts',
  'tests/process/git-at-once.test.ts',
  'tests/search/event-loop.test.ts',
]

/** Fill the machine with processes or memory on purpose, which other tests would fail by. */
const ALONE = ['tests/sandbox/limits.test.ts']

/** What `npm test` runs, in this order. */
export const suites: readonly Suite[] = [
  { name: 'unit', include: ['src/**/*.test.ts'], exclude: FRESH, workers: AT_ONCE, shared: true, startsBuilt: true },
  { name: 'fresh', include: FRESH, exclude: [], workers: AT_ONCE, startsBuilt: true },
  {
    name: 'security',
    include: ['tests/security/**/*.test.ts'],
    exclude: [],
    workers: AT_ONCE,
    shared: true,
    startsBuilt: true,
  },
  { name: 'faults', include: ['tests/faults/**/*.test.ts'], exclude: [], workers: AT_ONCE, startsBuilt: true },
  {
    name: 'whole',
    include: ['tests/**/*.test.ts'],
    exclude: [
      'tests/security/**',
      'tests/faults/**',
      'tests/conformance/cli-agent/**',
      'tests/measured/**',
      ...FRESH,
      ...ALONE,
    ],
    workers: AT_ONCE,
    shared: true,
    startsBuilt: true,
  },
  {
    name: 'cli-agent',
    include: ['tests/conformance/cli-agent/*.test.ts'],
    exclude: [],
    workers: AT_ONCE,
    covered: true,
  },
  // Judges what was counted in the suite before.
  { name: 'measured', include: ['tests/measured/*.test.ts'], exclude: [] },
  { name: 'alone', include: ALONE, exclude: [], startsBuilt: true },
]

/** The name of the suite that a test file, given from the repository's root, belongs to. */
export const suiteOf = (file: string): string =>
  suites.find(
    ({ include, exclude }) =>
      include.some(glob => matchesGlob(file, glob)) && !exclude.some(glob => matchesGlob(file, glob)),
  )?.name ?? 'whole'
