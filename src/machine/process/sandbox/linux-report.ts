import type { Usable } from './probe.ts'
import { seccompFilter } from './seccomp.ts'
import { clockLibrary } from './seeds.ts'
import type { Situation } from './situation.ts'
import { standInShell } from './stand-ins.ts'

/** Doctor's lines about a working sandbox: the way in use, the limits and their means, and missing limits. */
export function linuxReport(
  facts: Pick<Usable, 'version' | 'abilities' | 'cgroup'> & {
    readonly situation: Situation['name']
    readonly overlay: boolean
    readonly visible: readonly string[]
  },
): string[] {
  const { situation, abilities, cgroup } = facts
  return [
    `bubblewrap ${facts.version}: ${WAYS[situation]}`,
    abilities.userNamespace
      ? 'own namespaces for users, processes, mounts, network, IPC, host name; no capability, no new privileges'
      : 'no user namespace, since /proc is masked here: root sets the sandbox up and drops every capability inside; a seccomp filter refuses new user namespaces',
    seccompFilter({ memoryCounted: false })
      ? 'a seccomp filter refuses further namespaces, keyrings, bpf, io_uring, packet and virtual-machine sockets'
      : `no seccomp filter: the system calls of ${process.arch} are not known here`,
    cgroup?.memory
      ? 'memory: cgroup, with what the kernel holds for a command (buffers of sockets and pipes)'
      : 'memory: looked at every 50 ms, and ended above the limit; each process by the kernel; NOT counted, since no memory cgroup can be made here: what the kernel holds for a command (buffers of sockets and pipes)',
    processWords(situation, cgroup?.pids === true),
    'CPU time: each process by the kernel, all together looked at every 50 ms; file size and open files: by the kernel',
    abilities.tmpfsSize
      ? '/tmp and /dev/shm: by their size'
      : '/tmp: looked at every 50 ms (bubblewrap before 0.7 cannot set its size)',
    'what lies on disk of a command that writes: looked at every 50 ms, and ended above the limit; in the background without a limit',
    facts.overlay
      ? 'what a command writes is staged by an overlay'
      : 'no overlay can be mounted here: commands that write work on a copy',
    standInShell() === undefined
      ? 'rules about programs: judged in the line alone, since there is neither bash nor busybox here'
      : 'rules about programs: judged in the line, and when a program that they name starts',
    clockLibrary() === undefined
      ? 'deterministic mode: only Node and bash find the time fixed, since libfaketime is not installed'
      : 'deterministic mode: programs find the time fixed, by libfaketime',
    facts.visible.length === 0
      ? 'tools: those of /usr only'
      : `tools beside /usr, read-only: ${facts.visible.join(', ')}`,
  ]
}

const WAYS: Readonly<Record<Situation['name'], string>> = {
  'root-on-root':
    'we are root and the tree is root’s, so that a command keeps the host’s uid 0 behind a mapping, without capabilities',
  'root-on-user': 'we are root and the tree is another user’s, so that a command runs as that user',
  user: 'commands run as the user who runs Toolwright',
}

function processWords(situation: Situation['name'], pids: boolean): string {
  if (pids) return 'processes: pids cgroup'
  return situation === 'root-on-root'
    ? 'processes: looked at every 50 ms, and ended above the limit (the kernel does not limit root)'
    : 'processes: by the kernel'
}
