import { literalOf, type Assignment } from './script.ts'
import { isHarmlessVariable } from './harmless-variable.ts'

const PLAIN = /^[\w.,:@+*-]*$/
/** Other encodings can change where the shell sees the end of a word. */
const LOCALE = /^(C|POSIX|C\.(UTF-8|utf8)|[a-z]{2,3}_[A-Z]{2}\.(UTF-8|utf8))$/
const ZONE = /^[A-Za-z][\w+-]*(\/[A-Za-z][\w+-]*){0,2}$/

const names = (text: string, values: RegExp): readonly (readonly [string, RegExp])[] =>
  text.split(/\s+/).map(name => [name, values] as const)

/** Variables that change how programs print, what they ask or which tests they run, with their harmless values. */
const KNOWN: ReadonlyMap<string, RegExp> = new Map([
  ...names(
    `CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM COLUMNS LINES DEBUG NODE_ENV RUST_BACKTRACE RUST_LOG
    CARGO_TERM_COLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GOOS GOARCH CGO_ENABLED GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT`,
    PLAIN,
  ),
  ...names('LANG LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME', LOCALE),
  ...names('TZ', ZONE),
  // Commands start with these pagers anyway; a line may say so.
  ...names('PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER', /^cat$/),
  ...names('EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR', /^(true|:)$/),
])

/** Reports whether a program may get this variable without doing anything else because of it: `CI=1 npm test`. */
export function isKnownAssignment({ name, value, elements }: Assignment): boolean {
  const text = literalOf(value)
  if (text === undefined || elements !== undefined || value.source.startsWith('[')) return false
  return KNOWN.get(name)?.test(text) === true
}

/** Reports whether an assignment on its own is only for the line's use, and its index starts nothing. */
export const isHarmlessAssignment = (assignment: Assignment): boolean =>
  isKnownAssignment(assignment) ||
  (isHarmlessVariable(assignment.name) && assignment.elements === undefined && !/^\w+\[/.test(assignment.value.source))
