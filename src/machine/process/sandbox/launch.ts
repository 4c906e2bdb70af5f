import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { Duplex, Readable } from 'node:stream'
import { ToolError } from '../../../kernel/error.ts'
import { ACK, GATE, INFO, STANDING, STDERR } from './descriptors.ts'
import { openPipe } from './output-pipes.ts'
import type { Launched } from './running.ts'
import { whenExited } from './when-exited.ts'

const CLOSE_ON_EXEC = 0o2000000
/** Longer than the relevant lines. Shared, since every command start uses it. */
const buffer = Buffer.alloc(256)

/** Returns our descriptors above 2 that a started program would inherit, without Node's own. */
function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter(fd => fd > 2 && isInherited(fd))
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(fdinfo(fd))?.[1]
    return (Number.parseInt(flags ?? '0', 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // The descriptor of the listing itself.
    return false
  }
}

function fdinfo(fd: number): string {
  const info = openSync(`/proc/self/fdinfo/${fd}`, 'r')
  try {
    return buffer.toString('latin1', 0, readSync(info, buffer))
  } finally {
    closeSync(info)
  }
}

interface Launch {
  /** Returns the words, given the descriptors to close on the way. */
  readonly argv: (left: readonly number[]) => readonly string[]
  /** Our descriptors by number in the launched program. All are closed here. */
  readonly given: ReadonlyMap<number, number>
  readonly stdin: 'none' | 'pipe'
  /** Calls `tell` when the command may begin, given its namespace's first process. */
  whenReady(init: number, tell: () => void): void
}

const LONGEST_COMPLAINT = 4096

/** Starts the chain of programs that ends in the sandbox. Passes only what the chain needs. */
export function launch({ argv, given, stdin, whenReady }: Launch): Launched {
  const [out, err] = [openPipe(), openPipe()]
  const child = spawnWith(argv, given, stdin, [out?.write, err?.write])
  for (const pipe of [out, err]) pipe?.sent()
  const { pid } = child
  if (pid === undefined) {
    for (const pipe of [out, err]) pipe?.stream.destroy()
    throw new ToolError('unavailable', `${child.spawnfile} could not be started`, {
      hint: 'toolwright doctor says what the sandbox needs',
    })
  }
  const streams: readonly unknown[] = child.stdio
  const [stdout, stderr] = [out?.stream ?? streams[1], err?.stream ?? streams[STDERR]]
  const [gate, info] = [streams[GATE], streams[INFO]]
  if (!(stdout instanceof Readable && gate instanceof Duplex && info instanceof Readable && stderr instanceof Readable))
    throw new Error('A stream of the sandbox is missing')
  let complaint = ''
  const standing = new Promise<void>(resolve => {
    gate.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-LONGEST_COMPLAINT)
      if (complaint.includes(`${STANDING}\n`)) resolve()
    })
  })
  for (const stream of [info, gate, child.stdin]) stream?.on('error', () => {})
  let initPid = 0
  return {
    pid,
    stdin: child.stdin ?? undefined,
    stdout,
    stderr,
    onInit(tell) {
      let text = ''
      info.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const init = /"child-pid":\s*(\d+)/.exec(text)?.[1]
        if (init === undefined) return
        info.removeAllListeners('data').resume()
        initPid = Number(init)
        tell(initPid)
      })
    },
    onExit: tell => whenExited(child, [stdout, stderr], tell),
    kill: () => child.kill('SIGKILL'),
    // The first process bound its life to ours before it ran, and reports that it is set up.
    go: begins =>
      void standing.then(() =>
        whenReady(initPid, () => {
          begins()
          gate.write('\n')
        }),
      ),
    failure: () => (complaint.endsWith(`${ACK}\n`) ? undefined : complaint.replace(`${STANDING}\n`, '')),
  }
}

function spawnWith(
  words: Launch['argv'],
  given: Launch['given'],
  stdin: Launch['stdin'],
  [out = 'pipe', err = 'pipe']: readonly (number | undefined | 'pipe')[],
): ChildProcess {
  const nothing = openSync('/dev/null', 'r')
  // Descriptors without the close-on-exec flag are replaced; otherwise every program on the way would inherit them.
  const inheritedFds = new Map(inheritedDescriptors().map(fd => [fd, nothing]))
  for (const at of [INFO, STDERR, ...given.keys()]) inheritedFds.delete(at)
  const stdio: ('ignore' | 'pipe' | number)[] = [stdin === 'pipe' ? 'pipe' : 'ignore', out, 'pipe']
  const highest = Math.max(STDERR, ...given.keys(), ...inheritedFds.keys())
  for (let at = 3; at <= highest; at++)
    stdio.push(given.get(at) ?? (at === STDERR ? err : at === INFO ? 'pipe' : (inheritedFds.get(at) ?? 'ignore')))
  try {
    const [program = '', ...args] = words([...inheritedFds.keys()])
    const child = spawn(program, args, { stdio, env: {}, cwd: '/' })
    child.on('error', () => {})
    return child
  } finally {
    for (const fd of [nothing, ...given.values()]) closeSync(fd)
  }
}
