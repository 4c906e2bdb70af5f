import { programs } from './program.ts'

/** Variables that name a program, as far as names tell. */
const PROGRAM =
  /^(\.?SHELL.*|MAKE.*|CC|CXX|CPP|LD|AS|AR|NM|FC|OBJCOPY|RANLIB|STRIP|INSTALL|RM|CP|MV|SED|AWK|GIT|PYTHON\w*|NODE|NPM|GO|CARGO|.*(CMD|COMMAND|EXE|BIN|TOOL|RUNNER|PROGRAM|PAGER|EDITOR|HOOK|WRAPPER|LAUNCHER))$/i

/** Another makefile, another shell and a text that is evaluated are not covered. */
export const MAKE = programs({
  'make gmake': {
    does: 'run',
    operands: 'texts',
    check: assignmentConcern,
    flags: 'BikKnpqrRsSwd',
    options: `-W= -C@ --jobs? --keep-going --silent --quiet --dry-run --just-print --recon --always-make --question --output-sync?
    --no-print-directory --print-directory --trace --debug? --ignore-errors --load-average? --max-load? --no-builtin-rules
    --no-builtin-variables --stop --no-keep-going --what-if= --new-file= --assume-new= --old-file= --assume-old=
    --warn-undefined-variables --directory@`,
    risky: '-f@ -I@ -E= -e -t -o= --file@ --makefile@ --include-dir@ --eval= --environment-overrides --touch',
    shapes: /^-(j\d*|l[\d.]*|O(none|line|target|recurse)?)$/,
  },
})

/** The value of a variable is written into the lines that the shell runs. */
function assignmentConcern(text: string): string | undefined {
  const [, name = '', value] = /^([^=:+?!]*)[:+?!]*=([^]*)$/.exec(text) ?? []
  if (value === undefined) return undefined
  const isPlain = /^([\w][\w.,@%+-]*|-[Og]\w*|-W[a-z-]*)?$/.test(value)
  return isPlain && /^\w+$/.test(name) && !PROGRAM.test(name) ? undefined : `${text} may change what is run`
}
