import { isHarmlessAwk } from '../awk-program.ts'
import { looksOutside } from '../jq-filter.ts'
import { programs } from './program.ts'

/** Programs whose first operand is a script in their own language. */
export const FILTERS = programs({
  jq: {
    does: 'read',
    operands: 'text-then-files',
    flags: 'ncrjasSCMeRh',
    options: `--null-input --compact-output --raw-output --join-output --raw-output0 --ascii-output --slurp --sort-keys --color-output
    --monochrome-output --exit-status --raw-input --tab --indent= --stream --stream-errors --seq --unbuffered --arg== --argjson==
    --slurpfile=@ --rawfile=@`,
    risky: '-f@ -L@ --from-file@ --library-path@ --args --jsonargs',
    check: text => (looksOutside(text) ? 'the filter looks outside its input' : undefined),
  },
  'awk gawk mawk nawk': {
    does: 'read',
    operands: 'text-then-files',
    optionsFirst: true,
    options: '-F= -v=',
    risky: `-f@ -i@ -e! -E@ -l@ -o? -p? -D? -d? --file@ --include@ --source! --exec@ --load@ --pretty-print? --profile? --dump-variables?`,
    check: text => (isHarmlessAwk(text) ? undefined : 'the program may run or write something'),
  },
  bc: { does: 'read', operands: 'files', flags: 'lqswhv', options: '--mathlib --quiet --standard --warn' },
})
