import { programs } from './program.ts'

/** Variables that hold a program, by convention. */
const PROGRAM =
  /^(\.?SHELL.*|MAKE.*|CC|CXX|CPP|LD|AS|AR|NM|FC|OBJCOPY|RANLIB|STRIP|INSTALL|RM|CP|MV|SED|AWK|GIT|PYTHON\w*|NODE|NPM|GO|CARGO|.*(CMD|COMMAND|EXE|BIN|TOOL|RUNNER|PROGRAM|PAGER|EDITOR|HOOK|WRAPPER|LAUNCHER))$/i

/** A rule does not cover another makefile, another shell or evaluated text. */
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

/** Make inserts the value of a variable into the lines that the shell runs. */
function assignmentConcern(text: string): string | undefined {
  const [, name = '', value] = /^([^=:+?!]*)[:+?!]*=([^]*)$/.exec(text) ?? []
  if (value === undefined) return undefined
  const isPlain = /^([\w][\w.,@%+-]*|-[Og]\w*|-W[a-z-]*)?$/.test(value)
  return isPlain && /^\w+$/.test(name) && !PROGRAM.test(name) ? undefined : `${text} may change what is run`
}
