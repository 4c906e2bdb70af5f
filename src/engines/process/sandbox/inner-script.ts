import { ACK, CELL, GATE, STDERR } from './descriptors.ts'
import type { Limits } from './types.ts'

const OPEN_FILES = 8192
/** Below this V8 does not start. */
const LEAST_DATA = 1024 ** 3

export interface InnerOptions {
  readonly gate: boolean
  /** Whether it enters its cgroup by itself. */
  readonly enters: boolean
  readonly forwarder: string
}

/**
 * What runs first inside, as a program of the sandbox, and becomes the command.
 * It waits until we have seen the sandbox stand: were we killed before that, nobody would be left to end it.
 */
export function innerScript(limits: Limits, options: InnerOptions): string {
  const kilobytes = (bytes: number) => Math.ceil(bytes / 1024)
  return [
    ...(options.enters ? [`echo 0 >&${CELL} || exit 125`, `exec ${CELL}>&-`] : []),
    ...(options.forwarder === '' ? [] : [options.forwarder]),
    ...(options.gate
      ? [`read -r _ <&${GATE} || exit 125`, `echo ${ACK} >&${GATE}`, `exec ${GATE}>&${STDERR} ${STDERR}>&-`]
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
    'exec "$@"',
  ].join('\n')
}

const limit = (option: string, value: number): string[] => [`ulimit ${option} ${value} 2>/dev/null || :`]
