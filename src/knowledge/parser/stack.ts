import { existsSync } from 'node:fs'
import { once } from '../../kernel/once.ts'

/** Parsers recurse as deep as a text nests. Only the used part of the stack takes memory. */
export const STACK_MB = 512
/** Garbage of many texts is collected before it looks like the memory of one. */
export const HEAP_MB = 1024

/** The start of the stack holds arguments and environment, and native code runs below the last check. */
const RESERVED_MB = 4
const LARGE = `--stack-size=${(STACK_MB - RESERVED_MB) * 1024}`

/** Where the limit cannot be raised, the program starts a thread, which takes longer than the process itself. */
const RAISE = `ulimit -c 0
ulimit -s ${STACK_MB * 1024} 2>/dev/null && exec "$0" ${LARGE} --max-old-space-size=${HEAP_MB} "$@"
exec "$0" "$@"`

const SHELL = '/bin/sh'
const hasShell = once(() => process.platform === 'linux' && existsSync(SHELL))

/** Returns the command that runs a file with a large stack where the system allows one. */
export const withLargeStack = (file: string): readonly [command: string, ...args: string[]] =>
  hasShell() ? [SHELL, '-c', RAISE, process.execPath, file] : [process.execPath, file]

/** Reports whether this process was started with one. */
export const hasLargeStack = (): boolean => process.execArgv.includes(LARGE)
