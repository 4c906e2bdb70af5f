import { join } from 'node:path'
import { OWN } from './places.ts'

/** Where the stand-ins find their shell, the pipes to whoever judges, and the programs themselves. */
export const CHANNEL = join(OWN, 'starts')
export const PROGRAMS = join(OWN, 'programs')
export const SHELL = join(PROGRAMS, 'sh')

/** What lets a start go on; anything else is the reason why it does not. */
export const GO = 'go'
/** As for a program that may not be executed. */
const REFUSED = 126

/**
 * Stands in the place of a program: tells whoever judges which file it stands for, its process and its arguments, and
 * becomes the program or ends with the reason. Builtins only, and no variable that a program could know.
 *
 * A ticket is one byte, so that two readers never share one. It names a pair of pipes that nobody else uses until the
 * empty field at the end gives it back: the answer has been read by then.
 */
export const programStandIn = (file: number, program: string): string =>
  script(file, '"$0" "$@"', `exec -a "$0" ${quoted(program)} "$@"`)

/**
 * The interpreter of a script that rules name. The script stays where it is, with this in its first line, so that it
 * finds what lies beside it, and whoever reads it instead of starting it finds a script.
 */
export const scriptStandIn = (file: number, interpreter: readonly string[]): string =>
  script(file, '"$@"', `exec ${interpreter.map(quoted).join(' ')} "$@"`, -1)

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

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
