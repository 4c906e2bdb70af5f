import type { Concern } from './concern.ts'
import { optionConcerns, type Options } from './options.ts'
import type { Word } from './script.ts'

/** Variables that name a program, as far as names tell. */
const PROGRAM =
  /^(\.?SHELL.*|MAKE.*|CC|CXX|CPP|LD|AS|AR|NM|FC|OBJCOPY|RANLIB|STRIP|INSTALL|RM|CP|MV|SED|AWK|GIT|PYTHON\w*|NODE|NPM|GO|CARGO|.*(CMD|COMMAND|EXE|BIN|TOOL|RUNNER|PROGRAM|PAGER|EDITOR|HOOK|WRAPPER|LAUNCHER))$/i

const MAKE: Options = {
  flags: 'BikKnpqrRsSwd',
  values: 'W',
  files: 'C',
  shapes: /^-[jlO][\w.]*$/,
  operands: 'any',
  check: assignment,
  long: `jobs? keep-going silent quiet dry-run just-print recon always-make question output-sync? no-print-directory print-directory
  version help trace debug? ignore-errors load-average? max-load? no-builtin-rules no-builtin-variables stop no-keep-going
  what-if= warn-undefined-variables directory@`,
}

/** Another makefile, another shell and a text that is evaluated are not covered. */
export const make = (words: readonly Word[]): readonly Concern[] => optionConcerns(MAKE, words)

/** The value of a variable is written into the lines that the shell runs. */
function assignment(text: string): string | undefined {
  const [, name = '', value] = /^([^=:+?!]*)[:+?!]*=([^]*)$/.exec(text) ?? []
  if (value === undefined) return undefined
  const isPlain = /^([\w][\w.,@%+-]*|-[Og]\w*|-W[a-z-]*)?$/.test(value)
  return isPlain && /^\w+$/.test(name) && !PROGRAM.test(name) ? undefined : `${text} may change what is run`
}
