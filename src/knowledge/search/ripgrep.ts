import { spawn } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { complaintReader, type UnreadableFile } from './unreadable-files.ts'
import { userPlaces, type UserPlaces } from '../tree/ignore/user-places.ts'

interface RipgrepRun {
  /** The directory to search; the program gets no other. */
  readonly cwd: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Locations of the user's ignore rules; by default as this process finds them. */
  readonly user?: UserPlaces | undefined
  /** Includes names that begin with a dot; default true. */
  readonly hidden?: boolean | undefined
  /** Memory limit. With several threads ripgrep keeps the output of a whole file in memory. */
  readonly maxBytes?: number
  /** Called for each file and directory that cannot be read. Without it they are left out silently. */
  readonly onUnreadable?: (file: UnreadableFile) => void
  /** Called with each piece of output, as bytes: names and lines need not be text. */
  readonly onOutput: (bytes: Buffer) => void
}

interface RipgrepEnd {
  readonly timedOut: boolean
  /** It exceeded its memory limit and was ended. */
  readonly outgrew: boolean
  /** ripgrep's error message, if it could not search. */
  readonly complaint?: string
}

/** Reasons for ending ripgrep. */
type Ending = 'time' | 'caller' | 'size' | 'breakdown'

/** Besides the locations of the user's ignore rules, nothing in the environment changes what ripgrep does. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }
const ALWAYS = ['--no-config', '--color=never', '--glob=!.git']
/** ripgrep's message when it panics over an expression. */
const PANIC = /^thread .* panicked at /m
const LONGEST_COMPLAINT = 4096
const LOOK_EVERY_MS = 50

/** Runs ripgrep until it ends, its time is over or the caller cancels. Leaves no process running. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const program = await ripgrepPath()
  if (run.signal?.aborted) return { timedOut: false, outgrew: false }
  // Also excluded by glob, because ripgrep shows hidden files that a type names.
  const hiddenFiles = run.hidden === false ? '--glob=!.*' : '--hidden'
  const { home: HOME, config: XDG_CONFIG_HOME } = run.user ?? userPlaces()
  const messages = run.onUnreadable ? '--no-ignore-messages' : '--no-messages'
  const child = spawn(program, [...ALWAYS, messages, hiddenFiles, ...run.args], {
    cwd: run.cwd,
    env: { ...ENVIRONMENT, HOME, XDG_CONFIG_HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let ending: Ending | undefined
  let complaint = ''
  const end = (why: Ending) => {
    ending ??= why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => end('time'), run.timeoutMs)
  const { maxBytes = Infinity } = run
  const looking = setInterval(() => void (heldBytes(child.pid) > maxBytes && end('size')), LOOK_EVERY_MS)
  const onAbort = () => end('caller')
  run.signal?.addEventListener('abort', onAbort, { once: true })
  const complaints = complaintReader(
    file => run.onUnreadable?.(file),
    line => {
      if (complaint.length < LONGEST_COMPLAINT) complaint += `${line}\n`
      // Its other threads would wait for the dead one.
      if (PANIC.test(complaint)) end('breakdown')
    },
  )
  child.stderr.on('data', complaints.push)
  child.stderr.on('end', complaints.end)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', cause => reject(isClosed(run.cwd) ? accessError(cause) : missing(cause)))
      child.on('close', resolve)
      child.stdout.on('data', (bytes: Buffer) => {
        // Ignore output that arrives after the end.
        if (ending !== undefined) return
        try {
          run.onOutput(bytes)
        } catch (error) {
          end('caller')
          reject(error)
        }
      })
    })
    if (code === null && ending === undefined)
      throw new ToolError('io', 'The search program was killed by another process')
    const complaintText = complaint.trim()
    // Fail instead of returning an answer that lacks files.
    if (ending === 'breakdown')
      throw new ToolError('io', `The search program crashed: ${complaintText.split('\n').at(0) ?? ''}`, {
        hint: 'Write the expression in another way',
      })
    return {
      timedOut: ending === 'time',
      outgrew: ending === 'size',
      ...(code === 2 && complaintText !== '' && { complaint: complaintText }),
    }
  } finally {
    clearTimeout(timer)
    clearInterval(looking)
    run.signal?.removeEventListener('abort', onAbort)
  }
}

/** Returns private memory, without mapped files; 0 if unknown. */
function heldBytes(pid: number | undefined): number {
  try {
    return Number(/^RssAnon:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch (cause) {
    throw missing(cause)
  }
}

const missing = (cause: unknown): ToolError =>
  new ToolError('unavailable', 'Searching needs ripgrep, which cannot be started', {
    hint: `npm install @vscode/ripgrep-${process.platform}-${process.arch}`,
    cause,
  })

/** A program also fails to start in a directory it may not enter. */
function isClosed(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
  }
}

const accessError = (cause: unknown): ToolError =>
  new ToolError('io', 'The directory to search is not accessible to this user', {
    hint: 'Check the permissions and the owner of the directory and of those above it.',
    details: { errno: 'EACCES' },
    cause,
  })
