import { spawn } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { complaintReader, type UnreadableFile } from './unreadable-files.ts'
import { userPlaces, type UserPlaces } from '../tree/ignore/user-places.ts'

interface RipgrepRun {
  /** The directory to search; the program is given no other. */
  readonly cwd: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Where the user's own ignore rules are; as this process finds them unless given. */
  readonly user?: UserPlaces | undefined
  /** Names that begin with a dot too; yes unless false. */
  readonly hidden?: boolean | undefined
  /** It is ended when it holds more than this: with several threads it keeps the output of a whole file in memory. */
  readonly maxBytes?: number
  /** Told of each file and directory that cannot be read; they are left out without a word unless given. */
  readonly onUnreadable?: (file: UnreadableFile) => void
  /** Called with each piece of the output, as bytes: names and lines need not be text. */
  readonly onOutput: (bytes: Buffer) => void
}

interface RipgrepEnd {
  readonly timedOut: boolean
  /** It held more than it was allowed to, and was ended. */
  readonly outgrew: boolean
  /** What it complained about, where it could not search at all. */
  readonly complaint?: string
}

/** What it is ended for. */
type Ending = 'time' | 'caller' | 'size' | 'breakdown'

/** Besides the places of the user's ignore rules the environment holds nothing that could change what ripgrep does. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }
const ALWAYS = ['--no-config', '--color=never', '--glob=!.git']
/** What it says where it breaks down over an expression. */
const PANIC = /^thread .* panicked at /m
const LONGEST_COMPLAINT = 4096
const LOOK_EVERY_MS = 50

/** Runs ripgrep until it ends, its time is over or the caller goes away; then nothing of it is left running. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const program = await ripgrepPath()
  if (run.signal?.aborted) return { timedOut: false, outgrew: false }
  // By a glob as well, because ripgrep shows hidden files that a type names.
  const hidden = run.hidden === false ? '--glob=!.*' : '--hidden'
  const { home: HOME, config: XDG_CONFIG_HOME } = run.user ?? userPlaces()
  const messages = run.onUnreadable ? '--no-ignore-messages' : '--no-messages'
  const child = spawn(program, [...ALWAYS, messages, hidden, ...run.args], {
    cwd: run.cwd,
    env: { ...ENVIRONMENT, HOME, XDG_CONFIG_HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let ended: Ending | undefined
  let complaint = ''
  const end = (why: Ending) => {
    ended ??= why
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
      // Its other threads would wait for the one that is gone.
      if (PANIC.test(complaint)) end('breakdown')
    },
  )
  child.stderr.on('data', complaints.push)
  child.stderr.on('end', complaints.end)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', cause => reject(isClosed(run.cwd) ? closed(cause) : missing(cause)))
      child.on('close', resolve)
      child.stdout.on('data', (bytes: Buffer) => {
        // What arrives after the end was not asked for any more.
        if (ended !== undefined) return
        try {
          run.onOutput(bytes)
        } catch (error) {
          end('caller')
          reject(error)
        }
      })
    })
    if (code === null && ended === undefined) throw new ToolError('io', 'The search program was ended from outside')
    const said = complaint.trim()
    // Rather no answer than one that lacks files.
    if (ended === 'breakdown')
      throw new ToolError('io', `The search program broke down: ${said.split('\n').at(0) ?? ''}`, {
        hint: 'Write the expression in another way',
      })
    return {
      timedOut: ended === 'time',
      outgrew: ended === 'size',
      ...(code === 2 && said !== '' && { complaint: said }),
    }
  } finally {
    clearTimeout(timer)
    clearInterval(looking)
    run.signal?.removeEventListener('abort', onAbort)
  }
}

/** Memory of its own, without the files that it maps; nothing where that cannot be told. */
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

/** A program also fails to start where it may not enter the directory that it is started in. */
function isClosed(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
  }
}

const closed = (cause: unknown): ToolError =>
  new ToolError('io', 'The directory to search is not accessible to this user', {
    hint: 'Check the permissions and the owner of the directory and of those above it.',
    details: { errno: 'EACCES' },
    cause,
  })
