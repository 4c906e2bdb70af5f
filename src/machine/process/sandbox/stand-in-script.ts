import { join } from 'node:path'
import { OWN } from './places.ts'

/** Directory of the stand-ins' shell, their pipes to the judge, and the real programs. */
export const CHANNEL = join(OWN, 'starts')
export const PROGRAMS = join(OWN, 'programs')
export const SHELL = join(PROGRAMS, 'sh')

/** Allows a start. Any other answer is the reason of the refusal. */
export const GO = 'go'
/** Exit code for a program that may not be executed. */
const REFUSED = 126

/**
 * Replaces a program: reports its file, process and arguments to the judge, then becomes the program or exits with the
 * reason. Uses only builtins, and no variable that a program could know.
 *
 * A ticket is one byte, so that two readers never share one. It names a pair of pipes for exclusive use until the empty
 * field at the end returns it: the answer has been read by then.
 */
export const programStandIn = (file: number, program: string): string =>
  script(file, '"$0" "$@"', `exec -a "$0" ${quote(program)} "$@"`)

/**
 * Replaces the interpreter of a script named by rules. The script stays in place, with this in its first line, so that
 * it finds its neighbours, and reading it still shows a script.
 */
export const scriptStandIn = (file: number, interpreter: readonly string[]): string =>
  script(file, '"$@"', `exec ${interpreter.map(quote).join(' ')} "$@"`, -1)

const script = (file: number, words: string, become: string, fewer = 0): string =>
  `#!${SHELL} -p
toolwright_answer=
IFS= read -r -n1 toolwright_ticket <${CHANNEL}/tickets && {
  printf '%s\\0' "$(($# + ${3 + fewer}))" ${file} "$$" ${words}
  IFS= read -r toolwright_answer <"${CHANNEL}/answer-$toolwright_ticket"
  printf '\\0'
} >"${CHANNEL}/request-$toolwright_ticket"
[ "$toolwright_answer" = ${GO} ] && ${become}
printf 'toolwright: %s\\n' "\${toolwright_answer:-this start could not be judged}" >&2
exit ${REFUSED}
`

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
