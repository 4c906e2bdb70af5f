import type { Readable, Writable } from 'node:stream'
import { ToolError } from '../../../kernel/error.ts'
import { ancestorsOf, parentOf, surroundingsOf } from './ancestors.ts'
import type { Cell } from './cgroup.ts'
import { killAndWait, killNamed, namedProcess, type NamedProcess } from './named-process.ts'
import { endOrphanedSetups } from './orphaned-setups.ts'
import type { RunningNote } from './running-records.ts'
import { proportionalBytes, statOf, treeFacts } from './tree-facts.ts'
import type { GuardedCommand } from './stand-ins.ts'
import type { Exit, Limits, Started } from './types.ts'
import { OURS, watch } from './watch.ts'

/** A launched sandbox, independent of how its output is read. */
export interface Launched {
  readonly pid: number
  readonly stdin: Writable | undefined
  readonly stdout: Readable
  readonly stderr: Readable
  resize?(columns: number, rows: number): void
  /** Calls once with the namespace's first process, as soon as it is known. */
  onInit(tell: (pid: number) => void): void
  /** Calls once when the launcher is gone and its output is read or abandoned. */
  onExit(tell: (exit: { code: number | null; signal: string | null }) => void): void
  /** Kills the launcher, and with it everything inside. */
  kill(): void
  /** Lets the command begin. Calls `begins` right before. */
  go(begins: () => void): void
  /** Returns why it did not begin; undefined once it has. */
  failure(): string | undefined
}

const XCPU = 128 + 24
const KILLED = 128 + 9
const SETUP_MS = 500

/** Enforces the limits of a launched sandbox and reports its end. */
export function running(
  child: Launched,
  limits: Limits,
  cell: Cell | undefined,
  options: {
    readonly joins: boolean
    readonly written: () => number
    readonly note: RunningNote
    readonly serve?: ((command: GuardedCommand) => void) | undefined
  },
): Started {
  let init: number | undefined
  let first: NamedProcess | undefined
  let endReason: Exit['ended']
  let refusal: string | undefined
  const end = (why: NonNullable<Exit['ended']>) => {
    endReason ??= why
    if (first && statOf(`/proc/${first.pid}/stat`)?.parent === child.pid) killNamed(first)
    else if (init !== undefined) child.kill()
    // Still in setup: it is ended when it reports its first process, and soon in any case.
    else setTimeout(() => init ?? child.kill(), SETUP_MS).unref()
  }
  const guard = watch(
    {
      look() {
        // The kernel may have killed one of its processes and left the others.
        if (cell && quietly(() => cell.ranOutOfMemory()) === true) end('memory')
        return init === undefined ? undefined : treeFacts(init, limits.processes + OURS)
      },
      exactBytes: () => (init === undefined ? 0 : proportionalBytes(init)),
      written: options.written,
      end,
    },
    limits,
  )
  child.onInit(pid => {
    init = pid
    first = namedProcess(pid)
    if (first) options.note.addFirst(first)
    options.serve?.({
      ancestors: inner => ancestorsOf(pid, inner),
      surroundings: inner => surroundingsOf(pid, inner),
      parent: inner => parentOf(pid, inner),
      pauseClock: guard.pauseClock,
    })
    const begin = (error: Error | null) => {
      // Without its cgroup it would run without a limit: fail closed. A process that is already gone reports its own
      // end.
      if (error && !('code' in error && error.code === 'ESRCH')) refusal = error.message
      if (endReason || refusal !== undefined) end(endReason ?? 'cancelled')
      else child.go(() => guard.glance())
    }
    if (cell && options.joins) cell.join(pid, begin)
    else begin(null)
  })
  const exit = new Promise<Exit>((resolve, reject) => {
    child.onExit(async ({ code, signal }) => {
      guard.stop()
      // The launcher may end before its children: the command has ended only when nothing inside lives.
      if (first && !(await killAndWait(first))) return reject(notEnded(first.pid))
      // Ended before it reported its first process, which may wait for ever.
      if (!first) endOrphanedSetups()
      options.note.remove()
      const usage = guard.most()
      if (cell && quietly(() => cell.ranOutOfMemory()) === true) endReason ??= 'memory'
      if (code === XCPU || (code === KILLED && (usage?.cpuMs ?? 0) > limits.cpuSeconds * 950)) endReason ??= 'cpu'
      cell?.remove()
      const failure = refusal ?? (endReason === undefined ? child.failure() : undefined)
      if (failure !== undefined) return reject(notStarted(failure, signal))
      resolve({ ...(endReason ? { code: null, signal: 'SIGKILL', ended: endReason } : { code, signal }), ...usage })
    })
  })
  // A caller that does not await the end must not crash on its rejection.
  exit.catch(() => {})
  const { pid, stdin, stdout, stderr } = child
  const resize = child.resize?.bind(child)
  return { pid, stdin, stdout, stderr, ...(resize && { resize }), end, exit }
}

const notEnded = (pid: number): ToolError =>
  new ToolError('unavailable', `The command cannot be ended: process ${pid} of its sandbox does not go away`, {
    hint: 'All its changes were discarded. The disk or network file system that it waits for may hang.',
  })

/** `signal`: the launcher's, if it was killed before the command began. */
const notStarted = (words: string, signal: string | null): ToolError =>
  new ToolError(
    'unavailable',
    `The command did not run: its sandbox could not be set up (${words.trim() || signal || 'no reason given'})`,
    {
      hint: 'toolwright doctor says what the sandbox needs',
      ...(signal !== null && { details: { signal } }),
    },
  )

function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
