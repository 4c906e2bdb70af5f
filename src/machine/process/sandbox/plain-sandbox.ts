import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ToolError } from '../../../kernel/error.ts'
import { innerScript } from './inner-script.ts'
import { openPipe } from './output-pipes.ts'
import { withSeeds, writeSeeds } from './seeds.ts'
import { pageBytes, statOf } from './tree-facts.ts'
import type { Exit, Sandbox, SandboxParts, SandboxSpec, Started } from './types.ts'
import { watch, type Used } from './watch.ts'
import { whenExited } from './when-exited.ts'

/** Set in every child's environment, to find one that left its group and its parents. */
const MARK = 'TOOLWRIGHT_RUN'

/** Runs commands unsandboxed, as the user chose: only with limits and an end for the whole tree. */
export function plainSandbox(parts: SandboxParts): Sandbox {
  return {
    report: () => ({
      usable: true,
      situation: 'none',
      overlay: false,
      cgroup: false,
      words: [
        'THE SANDBOX IS OFF: a command can read, change and send away everything that you can',
        'limits of time, memory and processes are looked at every 50 ms; nothing is staged, hidden or kept read-only',
      ],
    }),
    start: spec => startPlain(spec, parts),
  }
}

function startPlain(spec: SandboxSpec, { path, home }: SandboxParts): Started {
  if (spec.tree.kind === 'overlay')
    throw new ToolError('unavailable', 'Without the sandbox a command cannot see a staged tree', {
      hint: 'Give it the tree itself or a copy, or turn the sandbox on',
    })
  if (spec.terminal)
    throw new ToolError('unavailable', 'A terminal for commands needs the sandbox', { hint: 'Turn the sandbox on' })
  const mark = randomBytes(12).toString('hex')
  const root = spec.tree.kind === 'copy' ? spec.tree.path : spec.root
  const script = innerScript(spec.limits, { first: false, gate: false, enters: [], forwarder: '' })
  const seeds = spec.fixed ? writeSeeds() : undefined
  const env = seeds ? withSeeds(spec.env, seeds.path) : spec.env
  const [out, err] = [openPipe(), openPipe()]
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...spec.argv], {
    cwd: join(root, spec.cwd),
    env: { PATH: path, HOME: home, ...env, [MARK]: mark },
    stdio: [spec.stdin === 'pipe' ? 'pipe' : 'ignore', out?.write ?? 'pipe', err?.write ?? 'pipe'],
    detached: true,
  })
  for (const pipe of [out, err]) pipe?.sent()
  const stdout = out?.stream ?? child.stdout ?? Readable.from([])
  const stderr = err?.stream ?? child.stderr ?? Readable.from([])
  const { pid } = child
  const spawnFailure = new Promise<never>((_, reject) =>
    child.on('error', cause =>
      reject(new ToolError('unavailable', `The command could not be started: ${cause.message}`)),
    ),
  )
  spawnFailure.catch(() => {})
  let endReason: Exit['ended']
  const end = (why: NonNullable<Exit['ended']>) => {
    endReason ??= why
    endTree(pid, mark)
  }
  const guard = watch(
    { look: () => usageOf(pidsMarked(mark)), exactBytes: () => Number.POSITIVE_INFINITY, written: () => 0, end },
    spec.limits,
  )
  guard.glance(pid === undefined ? undefined : usageOf([pid]))
  const exit = new Promise<Exit>(resolve => {
    child.on('exit', () => endTree(pid, mark))
    whenExited(child, [stdout, stderr], ({ code, signal }) => {
      guard.stop()
      resolve({
        ...(endReason ? { code: null, signal: 'SIGKILL', ended: endReason } : { code, signal }),
        ...guard.most(),
      })
    })
  })
  const over = Promise.race([exit, spawnFailure])
  if (seeds) over.then(seeds.remove, seeds.remove)
  child.stdin?.on('error', () => {})
  return {
    pid: pid ?? 0,
    stdin: child.stdin ?? undefined,
    stdout,
    stderr,
    end,
    exit: over,
  }
}

function endTree(group: number | undefined, mark: string): void {
  if (group !== undefined) kill(-group)
  // A process may fork between search and kill, so the search repeats until none is left.
  for (let round = 0; round < 20; round++) {
    const survivors = pidsMarked(mark)
    if (survivors.length === 0) return
    survivors.forEach(kill)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

function pidsMarked(mark: string): number[] {
  if (process.platform !== 'linux') return []
  const variable = `${MARK}=${mark}`
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(variable)
      } catch {
        return false
      }
    })
    .map(Number)
}

function usageOf(pids: readonly number[]): Used | undefined {
  const processes = pids.flatMap(pid => statOf(`/proc/${pid}/stat`) ?? [])
  if (processes.length === 0) return undefined
  const sum = (of: (one: (typeof processes)[number]) => number) => processes.reduce((all, one) => all + of(one), 0)
  return {
    tasks: sum(one => one.threads),
    cpuMs: sum(one => one.ticks) * 10,
    residentBytes: sum(one => one.pages) * pageBytes(),
    tmpBytes: 0,
  }
}
