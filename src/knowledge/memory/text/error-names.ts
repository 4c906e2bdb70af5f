/** An exception class, by the endings that languages share. */
const CLASSES = /\b[A-Z]\w*(?:Error|Exception|Warning|Fault|Failure|Panic|Interrupt|Exit)\b/g
/** Codes of systems, compilers and databases: ECONNREFUSED, ERR_REQUIRE_ESM, TS2345, E0382, ORA-00942, SIGSEGV, 23505. */
const CODES =
  /\b(?:E[A-Z]{4,}|ERR_[A-Z0-9_]+|SIG[A-Z]{3,}|[A-Z]{1,8}-?\d{3,5}|[A-Z]{2,}(?:_[A-Z0-9]+)+|0x8[0-9A-F]{7})\b/g
/** Written in capitals, but names nothing. */
const NO_CODES = new Set(['ERROR', 'ERRORS', 'EXCEPTION', 'EXPECTED', 'EXIT', 'EMPTY', 'EVERY', 'EITHER', 'ENOUGH'])
const NO_CLASSES = new Set(['Error', 'Exception', 'Warning', 'Failure', 'RuntimeError'])

export interface ErrorNames {
  readonly codes: ReadonlySet<string>
  readonly classes: ReadonlySet<string>
}

/** Returns the error codes and exception classes that a text names; those that any error could have do not count. */
export function errorNames(text: string): ErrorNames {
  const named = (pattern: RegExp, none: ReadonlySet<string>) =>
    new Set((text.match(pattern) ?? []).filter(name => !none.has(name)))
  return { codes: named(CODES, NO_CODES), classes: named(CLASSES, NO_CLASSES) }
}

/** Reports what two texts name alike: the same code tells more than the same class. */
export function sameName(one: ErrorNames, other: ErrorNames): 'code' | 'class' | undefined {
  if (share(one.codes, other.codes)) return 'code'
  return share(one.classes, other.classes) ? 'class' : undefined
}

const share = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => [...one].some(name => other.has(name))
