import { existsSync } from 'node:fs'
import { once } from '../../kernel/once.ts'

/** Parsers recurse as deep as a text nests. Only the used part of the stack takes memory. */
export const STACK_MB = 512
/** Garbage of many texts is collected before it looks like the memory of one. */
export const HEAP_MB = 1024

/**
 * The trees of several files fit into it and die there. In V8's own 1 to 16 MB more of them are copied, and a build
 * leaves a process of 310 MB instead of 220.
 */
const YOUNG_MB = 32

/** The start of the stack holds arguments and environment, and native code runs below the last check. */
const RESERVED_MB = 4
const LARGE = `--stack-size=${(STACK_MB - RESERVED_MB) * 1024}`
const HEAP = `--max-old-space-size=${HEAP_MB} --min-semi-space-size=${YOUNG_MB} --max-semi-space-size=${YOUNG_MB}`

/** Where the limit cannot be raised, the program starts a thread, which takes longer than the process itself. */
const RAISE = `ulimit -c 0
ulimit -s ${STACK_MB * 1024} 2>/dev/null && exec "$0" ${LARGE} ${HEAP} "$@"
exec "$0" "$@"`

const SHELL = '/bin/sh'
const hasShell = once(() => process.platform === 'linux' && existsSync(SHELL))

/** Returns the command that runs a file with a large stack where the system allows one. */
export const withLargeStack = (file: string): readonly [command: string, ...args: string[]] =>
  hasShell() ? [SHELL, '-c', RAISE, process.execPath, file] : [process.execPath, file]

/** Reports whether this process was started with one. */
export const hasLargeStack = (): boolean => process.execArgv.includes(LARGE)
