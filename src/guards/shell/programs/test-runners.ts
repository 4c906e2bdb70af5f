import { staysInside } from '../stays-inside.ts'
import { programs, type Check } from './program.ts'

const REPORTERS: Check = text =>
  /^(default|verbose|dot|json|tap|tap-flat|spec|list|min|progress|basic|junit|github-actions|summary|hanging-process|lcov|nyan|landing|agent|tree)$/.test(
    text,
  )
    ? undefined
    : `'${text}' may be a module`

const FILTERS: Check = text =>
  text.startsWith('@') || !staysInside(text) ? `'${text}' is outside the workspace, or a file of arguments` : undefined

/** The class of a warning is imported from a module. */
const WARNINGS: Check = text => (/^\w+(:[\w ]*(:\w*Warning)?)?$/.test(text) ? undefined : `'${text}' may load a module`)

/** In a group of letters only the last takes a value, and a word with a dash is not a value. */
const GROUPS = { separate: true, dashedIsOption: true } as const

/** Test runners. A rule does not cover another configuration, plugins or files to write. */
export const TEST_RUNNERS = programs({
  'pytest py.test': {
    does: 'run',
    dashedIsOption: true,
    operands: 'texts',
    check: FILTERS,
    flags: 'qvxslhV',
    options: `-k= -m= -n= -r= -p= -W= --tb= --maxfail= --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise
    --stepwise-skip --co --collect-only --durations= --durations-min= --no-header --no-summary --disable-warnings
    --disable-pytest-warnings --strict-markers --strict-config --strict --color= --capture= --showlocals --no-showlocals --runxfail
    --exitfirst --quiet --verbose --cache-clear --setup-show --setup-only --setup-plan --fixtures --fixtures-per-test --markers
    --numprocesses= --dist= --cov? --no-cov --no-cov-on-fail --cov-fail-under= --cov-branch --ignore= --ignore-glob= --deselect=
    --doctest-modules --timeout= --full-trace --log-level= --log-cli-level= --show-capture= --benchmark-skip --benchmark-only
    --snapshot-update --asyncio-mode= --random-order --randomly-seed= --reruns= --keep-duplicates --cov-report=`,
    risky: `-c@ -o= --rootdir@ --confcutdir@ --pdbcls= --basetemp@ --junitxml> --junit-xml> --config-file@ --override-ini= --log-file>
    --import-mode= --pdb --trace --debug? --pastebin= --pyargs --cov-config@ --resultlog> --doctest-glob=`,
    checks: {
      '-p': text => (text.startsWith('no:') ? undefined : `'${text}' loads a plugin`),
      '-W': WARNINGS,
      '--cov-report': text =>
        /^(term(-missing)?(:skip-covered)?|html|xml|json|lcov)?$/.test(text) ? undefined : `it writes to ${text}`,
    },
  },
  jest: {
    does: 'run',
    ...GROUPS,
    operands: 'texts',
    check: FILTERS,
    flags: 'biuovhfe',
    options: `-t= -w= --bail? --runInBand --updateSnapshot --onlyChanged --onlyFailures --watch --watchAll? --coverage? --no-coverage --verbose? --silent?
    --testNamePattern= --testPathPattern= --testPathPatterns= --testTimeout= --maxWorkers= --passWithNoTests --ci --no-cache --cache
    --clearCache --detectOpenHandles --forceExit --findRelatedTests --listTests --colors --no-colors --expand --json --errorOnDeprecated
    --logHeapUsage --randomize --seed= --shard= --showConfig --changedSince= --selectProjects= --debug --env=`,
    risky: `-c@ --config@ --rootDir@ --roots@ --globalSetup@ --globalTeardown@ --reporters= --testRunner= --runner= --setupFiles@
    --setupFilesAfterEnv@ --transform= --resolver= --testEnvironment= --outputFile> --coverageDirectory> --cacheDirectory> --preset=
    --filter= --testSequencer= --testResultsProcessor= --snapshotSerializers= --watchPlugins= --projects@ --dependencyExtractor=`,
    checks: { '--env': text => (/^(node|jsdom)$/.test(text) ? undefined : `'${text}' is a module`) },
  },
  vitest: {
    does: 'run',
    ...GROUPS,
    operands: 'texts',
    check: FILTERS,
    flags: 'uwhv',
    options: `-t= --run --watch? --update? --testNamePattern= --testTimeout= --hookTimeout= --bail= --retry= --reporter= --coverage
    --coverage.enabled? --silent? --hideSkippedTests --passWithNoTests --allowOnly --dangerouslyIgnoreUnhandledErrors --changed?
    --shard= --sequence.shuffle --sequence.seed= --pool= --maxWorkers= --minWorkers= --no-file-parallelism --fileParallelism?
    --isolate? --no-isolate --globals --dom --logHeapUsage --project= --exclude= --no-color --color --typecheck --disableConsoleIntercept
    --printConsoleTrace --expandSnapshotDiff --no-coverage --clearScreen? --no-clearScreen --json`,
    risky: `-c@ -r@ --config@ --root@ --dir@ --environment= --outputFile> --globalSetup@ --runner= --snapshotEnvironment= --api? --ui --open
    --inspect? --inspect-brk? --browser? --execArgv= --vmMemoryLimit= --attachmentsDir> --mode=`,
    checks: { '--reporter': REPORTERS },
  },
  mocha: {
    does: 'run',
    ...GROUPS,
    operands: 'texts',
    check: FILTERS,
    flags: 'bcCiwhV',
    options: `-g= -f= -t= -s= -R= -j= -u= --bail --color --colors --no-color --no-colors --grep= --fgrep= --invert --timeout= --slow=
    --reporter= --parallel --jobs= --retries= --recursive --watch --exit --check-leaks --forbid-only --forbid-pending --full-trace
    --dry-run --ui= --sort --diff --no-diff --inline-diffs --async-only`,
    risky:
      '-r@ -n= --require@ --config@ --package@ --file@ --node-option= --loader= --import= --opts@ --reporter-option= -O= --spec@ --ignore= --extension=',
    checks: {
      '-R': REPORTERS,
      '--reporter': REPORTERS,
      '-u': text => (/^(bdd|tdd|qunit|exports)$/.test(text) ? undefined : `'${text}' is a module`),
      '--ui': text => (/^(bdd|tdd|qunit|exports)$/.test(text) ? undefined : `'${text}' is a module`),
    },
  },
  ava: {
    does: 'run',
    ...GROUPS,
    operands: 'texts',
    check: FILTERS,
    flags: 'suvwTh',
    options:
      '-m= -c= --match= --serial --update-snapshots --verbose --watch --fail-fast --tap --timeout= --concurrency= --no-worker-threads --color --no-color',
    risky: '--config@ --node-arguments=',
  },
})
