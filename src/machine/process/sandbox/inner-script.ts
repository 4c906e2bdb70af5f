import { ACK, GATE, STANDING, STDERR } from './descriptors.ts'
import type { Limits } from './types.ts'

const OPEN_FILES = 8192
/** V8 does not start with less. */
const LEAST_DATA = 1024 ** 3

export interface InnerOptions {
  /**
   * Whether it is the first process of a namespace. That process receives no signal it does not handle, so the command
   * becomes its child. When it ends, the kernel first ends every other process in the namespace.
   */
  readonly first: boolean
  readonly gate: boolean
  /** Descriptors through which it enters its cgroups, if it does so on its own. */
  readonly enters: readonly number[]
  readonly forwarder: string
}

/**
 * Script of the first program inside. It starts the command or becomes it. It waits until we have seen the sandbox
 * complete: if we were killed earlier, no process would be left to end it.
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
    // A lower existing limit cannot be raised and stays.
    ...limit('-c', 0),
    ...limit('-n', OPEN_FILES),
    // First the signal that names the reason; a second later the one that cannot be ignored.
    ...limit('-H -t', Math.ceil(limits.cpuSeconds) + 1),
    ...limit('-S -t', Math.ceil(limits.cpuSeconds)),
    ...limit('-d', kilobytes(Math.max(limits.memoryBytes, LEAST_DATA))),
    ...limit('-f', Math.ceil(limits.fileBytes / 512)),
    // bash uses -u, dash and busybox -p.
    `ulimit -u ${limits.processes} 2>/dev/null || ulimit -p ${limits.processes} 2>/dev/null || :`,
    // The shell's message about a killed child must not appear in the command's output, and an interrupted shell
    // forgets its child's exit status.
    ...(options.first
      ? ['exec 2>/dev/null', "trap '' INT", `(trap - INT; exec "$@" 2>&${STDERR} ${STDERR}>&-)`, 'exit $?']
      : ['exec "$@"']),
  ].join('\n')
}

const limit = (option: string, value: number): string[] => [`ulimit ${option} ${value} 2>/dev/null || :`]
