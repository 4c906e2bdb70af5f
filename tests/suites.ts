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
  /** Workspaces are made in memory where there is room: on a disk, half of the time is waiting for it. */
  readonly inMemory?: boolean
}

/** Files that wait for programs more than they compute: a third one fills the pauses of two. */
const AT_ONCE = 3

/**
 * Set or replace what a module keeps, which others would meet, measure a thread, which collects the garbage of others, or
 * start hundreds of programs, which is many times slower from a process that holds much memory.
 */
const FRESH = [
  'src/guards/policy/command-parser.test.ts',
  'src/guards/shell/parse-line.test.ts',
  'src/guards/shell/shell-invocation.test.ts',
  'src/knowledge/search/exchanged-names.test.ts',
  'src/knowledge/search/scan.test.ts',
  'tests/cli/index-status.test.ts',
  'tests/conformance/superconnect/no-walk.test.ts',
  'tests/process/git-at-once.test.ts',
  'tests/search/event-loop.test.ts',
  'tests/search/types.test.ts',
]

/** Tell mounts and system directories apart, which in memory are the same. */
const ON_DISK = [
  'src/machine/process/sandbox/visible-paths.test.ts',
  'src/machine/workspace/commit/commit-store.test.ts',
]

/** Fill the machine with processes or memory on purpose, which other tests would fail by. */
const ALONE = ['tests/sandbox/limits.test.ts']

/**
 * Hold the contracts to their documents, and count which lines of them run. What counting would slow down several times,
 * such as loops over a large text, or what measures a time stands in tests/conformance/uncounted.
 */
const COVERED = [
  'tests/conformance/{autonomous,cli-agent,debug-assistant,superconnect}/*.test.ts',
  'tests/conformance/sage-*.test.ts',
]

/** Take ten seconds and more, the longest first: started early, none of them is what a suite waits for at its end. */
export const SLOW = [
  'src/knowledge/search/search.test.ts',
  'src/knowledge/search/options.test.ts',
  'src/knowledge/search/index/search-index.test.ts',
  'src/knowledge/index/parsing/parse-pool.test.ts',
  'src/knowledge/tree/freshness.test.ts',
  'src/machine/text/edit/replace-text.test.ts',
  'tests/security/git-settings.test.ts',
  'tests/security/rule-spellings.test.ts',
  'tests/security/search-races.test.ts',
  'tests/security/git-only-content.test.ts',
  'tests/security/kept-history.test.ts',
  'tests/security/shell-differential.test.ts',
  'tests/security/hostile-files.test.ts',
  'tests/security/git-content.test.ts',
  'tests/security/attack.test.ts',
  'tests/security/abandoned-background.test.ts',
  'tests/security/denied-history-starts.test.ts',
  'tests/faults/errors.test.ts',
  'tests/faults/ignored-landing.test.ts',
  'tests/faults/edits.test.ts',
  'tests/faults/cache-bound.test.ts',
  'tests/faults/state-bound.test.ts',
  'tests/faults/journal.test.ts',
  'tests/library/typed-library.test.ts',
  'tests/contracts/toolwright.test.ts',
  'tests/code/refactor-rows.test.ts',
  'tests/cli/tool-commands.test.ts',
  'tests/mcp/tools.test.ts',
  'tests/code/graph-history.test.ts',
  'tests/docs.test.ts',
  'tests/cli/typed-tasks.test.ts',
  'tests/sandbox/escape-rig.test.ts',
  'tests/code/rename.test.ts',
  'tests/code/move-symbol.test.ts',
  'tests/resident/code.test.ts',
  'tests/contracts/hints.test.ts',
  'tests/conformance/superconnect/one-shot-index.test.ts',
  'tests/conformance/debug-assistant/find-callers-of-function.test.ts',
  'tests/conformance/superconnect/files.test.ts',
  'tests/sandbox/programs.test.ts',
  'tests/cli/tmux.test.ts',
  'tests/sandbox/ending.test.ts',
  'tests/cli/answers.test.ts',
]

/** What `npm test` runs, in this order. */
export const suites: readonly Suite[] = [
  {
    name: 'unit',
    include: ['src/**/*.test.ts'],
    exclude: [...FRESH, ...ON_DISK],
    workers: AT_ONCE,
    shared: true,
    startsBuilt: true,
    inMemory: true,
  },
  { name: 'fresh', include: [...FRESH, ...ON_DISK], exclude: [], workers: AT_ONCE, startsBuilt: true },
  {
    name: 'security',
    include: ['tests/security/**/*.test.ts'],
    exclude: [],
    workers: AT_ONCE,
    shared: true,
    startsBuilt: true,
    inMemory: true,
  },
  { name: 'faults', include: ['tests/faults/**/*.test.ts'], exclude: [], workers: AT_ONCE, startsBuilt: true },
  {
    name: 'whole',
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/security/**', 'tests/faults/**', ...COVERED, 'tests/measured/**', ...FRESH, ...ALONE],
    workers: AT_ONCE,
    shared: true,
    startsBuilt: true,
    inMemory: true,
  },
  {
    name: 'contracts',
    include: COVERED,
    exclude: FRESH,
    workers: AT_ONCE,
    covered: true,
    inMemory: true,
  },
  // Judges what was counted in the suite before.
  { name: 'measured', include: ['tests/measured/*.test.ts'], exclude: [] },
  { name: 'alone', include: ALONE, exclude: [], startsBuilt: true },
]

/** A suite waits for those before it only if they have another number of workers: no worker is idle at the end of one. */
export const groupOf = (place: number): number =>
  place > 0 && suites[place]?.workers === suites[place - 1]?.workers ? groupOf(place - 1) : place

/** The name of the suite that a test file, given from the repository's root, belongs to. */
export const suiteOf = (file: string): string =>
  suites.find(
    ({ include, exclude }) =>
      include.some(glob => matchesGlob(file, glob)) && !exclude.some(glob => matchesGlob(file, glob)),
  )?.name ?? 'whole'
