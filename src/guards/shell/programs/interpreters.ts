import { fileConcern, type Concern } from '../concern.ts'
import { literalOf } from '../script.ts'
import { programs, type Program } from './program.ts'
import { has } from './read-arguments.ts'
import type { Reading } from './reading.ts'

/** Runs a file of the workspace. Words after the file are arguments of the script. */
const RUNS: Program = { does: 'run', operands: 'texts', optionsFirst: true, judge: scriptConcerns }

/** Programs that run a file, or a text from an option. */
export const INTERPRETERS = programs({
  node: {
    ...RUNS,
    style: 'words',
    dashedIsOption: true,
    options: `-v -h --no-warnings --trace-warnings --enable-source-maps --no-deprecation --trace-deprecation --throw-deprecation
    --stack-trace-limit? --max-old-space-size? --experimental-strip-types --unhandled-rejections= --test-only --test-name-pattern=
    --test-skip-pattern= --test-reporter= --test-concurrency= --test-timeout= --test-shard= --test-force-exit --test-update-snapshots
    --test-isolation= --experimental-test-coverage --experimental-test-module-mocks --expose-gc`,
    risky: `-e! -p! -pe! -r@ -c -i -C= --eval! --print! --require@ --import= --loader= --experimental-loader= --test --run= --watch --watch-path=
    --inspect? --inspect-brk? --env-file? --env-file-if-exists? --test-reporter-destination= --test-global-setup= --input-type= --interactive --check
    --conditions= --openssl-config= --diagnostic-dir= --cpu-prof --heap-prof --snapshot-blob= --build-snapshot --experimental-config-file? --report-dir= --title=`,
    checks: {
      '--test-reporter': text => (/^(spec|tap|dot|junit|lcov)$/.test(text) ? undefined : `'${text}' is a module`),
    },
  },
  'python python2 python3 pypy pypy3': { ...RUNS, flags: 'VhuBEIsSOqb', risky: '-c$ -m$ -i -W= -X= -x -d -v -P -R -t' },
  perl: {
    ...RUNS,
    flags: 'vhwW',
    risky: '-e! -E! -M= -m= -I@ -i? -n -p -a -l? -0? -F= -d? -D? -C? -s -S -t -T -u -U -c -x?',
  },
  'ruby php lua Rscript tclsh': { ...RUNS, risky: '-e! -r= --eval!' },
  'deno osascript expect': { does: 'run', operands: 'texts' },
})

function scriptConcerns(reading: Reading, words: readonly unknown[]): readonly Concern[] {
  // The text or module of an option runs.
  if (has(reading, '-c', '-m', '-e', '-p', '-pe', '--eval', '--print', '--run', '--test')) return []
  const [script] = reading.operands
  if (!script) return has(reading, '-v', '-V', '-h') ? [] : [{ at: words.length, what: 'it runs what it reads' }]
  const text = literalOf(script.word)
  const what = text === '-' || text === '/dev/stdin' ? 'it runs what it reads' : fileConcern(text ?? '')
  return what === undefined ? [] : [{ at: script.at, what }]
}
