import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ToolError } from '../../../kernel/error.ts'
import { innerScript } from './inner-script.ts'
import type { Exit, Sandbox, SandboxParts, SandboxSpec, Started } from './types.ts'

const PROGRAM = '/usr/bin/sandbox-exec'

/** The system's sandbox-exec behind the same interface. UNTESTED on a Mac; doctor says so. */
export function macSandbox(parts: SandboxParts): Sandbox {
  const usable = existsSync(PROGRAM)
  return {
    report: () => ({
      usable,
      situation: usable ? 'user' : 'none',
      overlay: false,
      cgroup: false,
      words: [
        'sandbox-exec: UNTESTED on a Mac',
        'limited: files, network, wall time, CPU time and file size; not limited: memory and processes of the whole tree',
      ],
      ...(usable ? {} : { cause: 'sandbox-exec is missing', fix: 'it is part of macOS; there is nothing to install' }),
    }),
    start(spec) {
      if (!usable) throw new ToolError('unavailable', 'Commands cannot run here: sandbox-exec is missing')
      return startOnMac(spec, parts)
    },
  }
}

/** Builds the rules: anything not named is refused, and the last matching rule decides. */
export function macProfile(spec: SandboxSpec, temporary: string, visible: readonly string[]): string {
  const { root, tree } = spec
  const place = tree.kind === 'copy' ? tree.path : root
  const below = (path: string) => `(subpath ${JSON.stringify(path)})`
  const named = (path: string) => `(literal ${JSON.stringify(path)})`
  const system = ['/usr', '/bin', '/sbin', '/System', '/Library', '/opt/homebrew', '/private/var/db/timezone', '/dev']
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork signal sysctl-read mach-lookup)',
    `(allow file-read* ${[...system, ...visible, place, temporary].map(below).join(' ')})`,
    '(allow file-read-metadata)',
    `(allow file-write* ${[temporary].map(below).join(' ')} (literal "/dev/null") (literal "/dev/tty"))`,
    ...(tree.kind === 'read-only' ? [] : [`(allow file-write* ${below(place)})`]),
    ...spec.readOnly.map(path => `(deny file-write* ${below(join(place, path))})`),
    ...spec.hidden.map(path => `(deny file-read* file-write* ${below(join(place, path))} ${named(join(place, path))})`),
    ...(spec.network
      ? [`(allow network-outbound (remote unix-socket (path-literal ${JSON.stringify(spec.network.socket)})))`]
      : []),
  ].join('\n')
}

function startOnMac(spec: SandboxSpec, { path, visible }: SandboxParts): Started {
  if (spec.tree.kind === 'overlay' || spec.terminal)
    throw new ToolError('unavailable', 'On macOS a command works on a copy, and without a terminal', {
      hint: 'Give it a copy of the tree',
    })
  const temporary = mkdtempSync(join(tmpdir(), 'toolwright-'))
  const root = spec.tree.kind === 'copy' ? spec.tree.path : spec.root
  const script = innerScript(spec.limits, { first: false, gate: false, enters: [], forwarder: '' })
  const profile = macProfile(spec, temporary, visible)
  const child = spawn(PROGRAM, ['-p', profile, '/bin/sh', '-c', script, 'sh', ...spec.argv], {
    cwd: join(root, spec.cwd),
    env: { PATH: path, ...spec.env, HOME: temporary, TMPDIR: temporary },
    stdio: [spec.stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { pid } = child
  let ended: Exit['ended']
  const end = (why: NonNullable<Exit['ended']>) => {
    ended ??= why
    endGroup(pid)
  }
  const wall = setTimeout(end, Math.min(spec.limits.wallMs, 2 ** 31 - 1), 'wall').unref()
  const exit = new Promise<Exit>((resolve, reject) => {
    child.on('error', cause =>
      reject(new ToolError('unavailable', `The command could not be started: ${cause.message}`)),
    )
    child.on('exit', () => endGroup(pid))
    child.on('close', (code, signal) => {
      clearTimeout(wall)
      rmSync(temporary, { recursive: true, force: true })
      resolve(ended ? { code: null, signal: 'SIGKILL', ended } : { code, signal })
    })
  })
  exit.catch(() => {})
  child.stdin?.on('error', () => {})
  const { stdout, stderr } = child
  return {
    pid: pid ?? 0,
    stdin: child.stdin ?? undefined,
    stdout: stdout ?? Readable.from([]),
    stderr: stderr ?? Readable.from([]),
    end,
    exit,
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
