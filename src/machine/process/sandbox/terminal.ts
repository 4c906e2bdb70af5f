import { createRequire } from 'node:module'
import { closeSync, readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { ToolError } from '../../../kernel/error.ts'
import type { Cell } from './cgroup.ts'
import { chain, type ChainParts } from './chain.ts'
import { openData } from './data-file.ts'
import { INFO } from './descriptors.ts'
import type { RunningNote } from './running-records.ts'
import { running, type Launched } from './running.ts'
import type { StandIns } from './stand-ins.ts'
import type { Started } from './types.ts'

/** The used part of the terminal library. */
interface Pty {
  readonly pid: number
  write(data: Buffer): void
  resize(columns: number, rows: number): void
  kill(signal?: string): void
  pause(): void
  resume(): void
  onData(tell: (data: Buffer) => void): void
  onExit(tell: (exit: { exitCode: number; signal?: number }) => void): void
}

interface PtyLibrary {
  spawn(file: string, args: readonly string[], options: Readonly<Record<string, unknown>>): Pty
}

const PACKAGE = '@lydell/node-pty'

interface TerminalParts extends ChainParts {
  readonly command: readonly string[]
  readonly cell: Cell | undefined
  readonly written: () => number
  readonly note: RunningNote
  readonly serve?: StandIns['serve'] | undefined
  readonly terminal: { readonly columns: number; readonly rows: number }
}

/**
 * Runs the command on its own terminal, in a new session, so that it cannot reach another terminal's input. The library
 * passes no descriptors, so a shell opens ours by their names in /proc.
 */
export function startInTerminal(parts: TerminalParts): Started {
  const library = ptyLibrary()
  const { argv, given, remove } = chain({ ...parts, namedContent: true }, parts.command)
  const info = openData('')
  const descriptors = [...given, [INFO, info] as const]
  const words = descriptors.map(([at, fd]) => `${at}${at === INFO ? '>' : '<'}/proc/${process.pid}/fd/${fd}`).join(' ')
  const enter = (parts.cell?.entries ?? []).map(entry => `echo 0 >'${entry}' || exit 125\n`).join('')
  const pty = library.spawn('/bin/sh', ['-c', `${enter}exec ${words}\nexec "$@"`, 'sh', ...argv()], {
    name: 'xterm-256color',
    cols: parts.terminal.columns,
    rows: parts.terminal.rows,
    cwd: '/',
    env: {},
    encoding: null,
  })
  const terminalRun = running(onPty(pty, info), parts.spec.limits, parts.cell, {
    joins: false,
    written: parts.written,
    note: parts.note,
    serve: parts.serve,
  })
  const close = () => {
    for (const [, fd] of descriptors) closeSync(fd)
    remove()
  }
  terminalRun.exit.then(close, close)
  return terminalRun
}

function ptyLibrary(): PtyLibrary {
  try {
    return createRequire(import.meta.url)(PACKAGE)
  } catch (cause) {
    throw new ToolError('unavailable', 'A terminal for commands needs a package that is not installed', {
      hint: `Install it with: npm install ${PACKAGE}`,
      cause,
    })
  }
}

function onPty(pty: Pty, info: number): Launched {
  const stdout = new Readable({ read: () => pty.resume() })
  pty.onData(data => {
    if (!stdout.push(data)) pty.pause()
  })
  let init: number | undefined
  return {
    pid: pty.pid,
    stdin: new Writable({
      write(chunk: Buffer, _, done) {
        pty.write(chunk)
        done()
      },
    }),
    stdout,
    stderr: Readable.from([]),
    resize: (columns, rows) => pty.resize(columns, rows),
    onInit(tell) {
      const timer = setInterval(() => {
        init = Number(/"child-pid":\s*(\d+)/.exec(readData(info))?.[1] ?? 0) || undefined
        if (init === undefined) return
        clearInterval(timer)
        tell(init)
      }, 2)
      pty.onExit(() => clearInterval(timer))
    },
    onExit(tell) {
      pty.onExit(({ exitCode, signal }) => {
        stdout.push(null)
        tell({ code: signal ? null : exitCode, signal: signal ? 'SIGKILL' : null })
      })
    },
    kill: () => pty.kill('SIGKILL'),
    go: () => {},
    failure: () => (init === undefined ? 'the reason is in its output' : undefined),
  }
}

const readData = (fd: number): string => readFileSync(`/proc/self/fd/${fd}`, 'latin1')
