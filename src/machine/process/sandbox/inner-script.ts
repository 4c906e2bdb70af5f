import { ACK, GATE, STANDING, STDERR } from './descriptors.ts'
import type { Limits } from './types.ts'

const OPEN_FILES = 8192
/** Below this V8 does not start. */
const LEAST_DATA = 1024 ** 3

export interface InnerOptions {
  /**
   * Whether it is the first process of a namespace. That one takes no signal that it does not handle, so that the
   * command becomes its child; when it ends, the kernel ends everything else in the namespace first.
   */
  readonly first: boolean
  readonly gate: boolean
  /** The descriptors by which it enters its cgroups, where it does so by itself. */
  readonly enters: readonly number[]
  readonly forwarder: string
}

/**
 * What runs first inside, as a program of the sandbox, and starts the command or becomes it.
 * It waits until we have seen the sandbox stand: were we killed before that, nobody would be left to end it.
 */
export function innerScript(limits: Limits, options: InnerOptions): string {
  const kilobytes = (bytes: number) => Math.ceil(bytes / 1024)
  return [
    ...options.enters.flatMap(fd => [`echo 0 >&${fd} || exit 125`, `exec ${fd}>&-`]),
    ...(options.forwarder === '' ? [] : [options.forwarder]),
    ...(options.gate
      ? [
          `echo ${STANDING} >&${GATE}`,
          `read -r _ <&${GATE} || exit 125`,
          `echo ${ACK} >&${GATE}`,
          `exec ${GATE}>&${STDERR}`,
        ]
      : options.first
        ? [`exec ${STDERR}>&2`]
        : []),
    // A limit that is already lower cannot be raised, and stays.
    ...limit('-c', 0),
    ...limit('-n', OPEN_FILES),
    // First the signal that names the reason, a second later the one that nobody can ignore.
    ...limit('-H -t', Math.ceil(limits.cpuSeconds) + 1),
    ...limit('-S -t', Math.ceil(limits.cpuSeconds)),
    ...limit('-d', kilobytes(Math.max(limits.memoryBytes, LEAST_DATA))),
    ...limit('-f', Math.ceil(limits.fileBytes / 512)),
    // bash has -u for it, dash and busybox -p.
    `ulimit -u ${limits.processes} 2>/dev/null || ulimit -p ${limits.processes} 2>/dev/null || :`,
    // What a shell says of a child that a signal ended is not the command's to print, and a shell that is interrupted
    // forgets how its child ended.
    ...(options.first
      ? ['exec 2>/dev/null', "trap '' INT", `(trap - INT; exec "$@" 2>&${STDERR} ${STDERR}>&-)`, 'exit $?']
      : ['exec "$@"']),
  ].join('\n')
}

const limit = (option: string, value: number): string[] => [`ulimit ${option} ${value} 2>/dev/null || :`]
