import { constants } from 'node:os'

/** An exception class, by the endings that languages share. */
const CLASSES = /\b[A-Z]\w*(?:Error|Exception|Warning|Fault|Failure|Panic|Interrupt|Exit)\b/g
/** What may be a code of a system, compiler or database: ECONNREFUSED, ERR_REQUIRE_ESM, TS2345, E0382, ORA-00942. */
const CODES =
  /\b(?:E[A-Z]{3,}|ERR_[A-Z0-9_]+|SIG[A-Z]{3,}|[A-Z]{1,8}-?\d{3,5}|[A-Z]{2,}(?:_[A-Z0-9]+)+|0x8[0-9A-F]{7})\b/g
/** Codes of npm and of resolvers, which no operating system has. */
const OTHER_CODES =
  `EAI_AGAIN EBADENGINE EBADPLATFORM EINTEGRITY EJSONPARSE ELIFECYCLE ELSPROBLEMS ENEEDAUTH ENOLOCK ENOTARGET
  ENOTFOUND EOTP ERESOLVE EUNSUPPORTEDPROTOCOL EUSAGE EVERSION`.split(/\s+/)
const ERRNO = new Set([...Object.keys(constants.errno), ...OTHER_CODES])
const SIGNALS: ReadonlySet<string> = new Set(Object.keys(constants.signals))
/** Names of algorithms, standards and formats that have numbers as codes do. */
const NUMBERED = /^(?:AES|CP|CRC|ECMA|ES|HTTP|IEEE|ISO|KOI|MD|RFC|RSA|SHA|UCS|UTF|WIN|X)-?\d/
/** A constant is the name of an error only if it says so: DEADLINE_EXCEEDED, and not NODE_ENV. */
const FAILING =
  /(?:^|_)(?:ABORT|BAD|CONFLICT|CORRUPT|DEADLOCK|DENIED|ERR|ERROR|ERRORS|EXCEEDED|EXHAUSTED|EXPIRED|FAIL|FAILED|FAILURE|FAULT|FORBIDDEN|INVALID|MISMATCH|MISSING|NOT|OVERFLOW|REFUSED|REJECTED|RESET|TIMEOUT|UNABLE|UNAVAILABLE|UNEXPECTED|UNKNOWN|UNREACHABLE|UNSUPPORTED|VIOLATION)(?:_|$)/

function isCode(name: string): boolean {
  if (name.startsWith('ERR_') || name.startsWith('0x') || ERRNO.has(name) || SIGNALS.has(name)) return true
  if (name.includes('_')) return FAILING.test(name)
  return /\d/.test(name) && !NUMBERED.test(name)
}

const NO_CLASSES = new Set(['Error', 'Exception', 'Warning', 'Failure', 'RuntimeError'])

export interface ErrorNames {
  readonly codes: ReadonlySet<string>
  readonly classes: ReadonlySet<string>
}

/** Returns the error codes and exception classes that a text names; those that any error could have do not count. */
export function errorNames(text: string): ErrorNames {
  const namesLike = (pattern: RegExp, counts: (name: string) => boolean) =>
    new Set((text.match(pattern) ?? []).filter(name => counts(name)))
  return { codes: namesLike(CODES, isCode), classes: namesLike(CLASSES, name => !NO_CLASSES.has(name)) }
}

/** Reports what two texts name alike: the same code tells more than the same class. */
export function sameName(one: ErrorNames, other: ErrorNames): 'code' | 'class' | undefined {
  if (share(one.codes, other.codes)) return 'code'
  return share(one.classes, other.classes) ? 'class' : undefined
}

const share = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => [...one].some(name => other.has(name))
