import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '../kernel/error.ts'
import { ownProgram } from '../machine/own-program.ts'
import type { Environment } from '../machine/state/directory.ts'
import { openLock, type Lock } from '../machine/state/lock.ts'
import { meet, type Connection } from './connect.ts'
import { ownBuild } from './own-build.ts'
import { makePlace, placeOf, type Place } from './place.ts'
import type { ResidentSettings } from './settings.ts'
import { holderOf, unresponsive } from './unresponsive-process.ts'

export interface StartOptions {
  /** The workspace's folder in the state directory. */
  readonly state: string
  readonly env: Environment
  readonly settings: ResidentSettings
  /** How long to wait for its first answer. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 100
/** Unanswered greetings after which a process started by another program is given up. */
const MOST_SILENCES = 3

/**
 * Connects to the process of this workspace, and starts it if there is none; among concurrent starters only one does.
 * Throws `unavailable` if none answers in time.
 */
export async function ensureResident(options: StartOptions): Promise<Connection> {
  const build = ownBuild()
  const place = placeOf(options.state, build)
  let reachedLine = await meet(place, build)
  if (isLine(reachedLine)) return reachedLine
  makePlace(place)
  const lock = openLock(place.startLock)
  let [mine, silences] = [false, 0]
  let child: ChildProcess | undefined
  try {
    const until = Date.now() + options.timeoutMs
    for (let wait = FIRST_PAUSE_MS; Date.now() < until; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      options.signal?.throwIfAborted()
      mine ||= tryLock(lock)
      if (child && hasFailed(child)) throw neverCame(place, 'failed')
      silences = reachedLine === 'silent' ? silences + 1 : 0
      // A started process may have found another that was ending or stopped; it cannot run beside that.
      if (mine && (child === undefined || hasEnded(child))) {
        const holder = holderOf(place)
        if (holder && silences >= MOST_SILENCES) throw unresponsive(holder)
        if (!holder) child = launch(place, options)
      }
      await pause(wait)
      reachedLine = await meet(place, build)
      if (isLine(reachedLine)) return reachedLine
    }
    const holder = holderOf(place)
    throw holder ? unresponsive(holder) : neverCame(place, `did not answer within ${options.timeoutMs} ms`)
  } finally {
    lock.close()
  }
}

const isLine = (met: Connection | 'silent' | undefined): met is Connection => typeof met === 'object'

const hasFailed = ({ exitCode }: ChildProcess): boolean => exitCode !== null && exitCode !== 0

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

function tryLock(lock: Lock): boolean {
  try {
    lock.acquire(0)
    return true
  } catch {
    return false
  }
}

/** Variables that the process needs to find its state; it gets no others. */
const HANDED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TOOLWRIGHT_STATE', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'] as const

/**
 * Bounds the memory for new objects of each thread, which grows to many times this during the build and stays: what
 * the process keeps lies elsewhere, and what an answer needs is short-lived.
 */
const FEW_YOUNG = ['--max-semi-space-size=4']

/** Threads that have ended leave their memory in arenas of the allocator; with one, others use it again. */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Detached: it ends neither with its starter nor with a key pressed at the starter's terminal. */
function launch(place: Place, { env, settings }: StartOptions): ChildProcess {
  const log = openSync(place.log, 'a', 0o600)
  try {
    const child = spawn(process.execPath, [...FEW_YOUNG, ownProgram('resident'), JSON.stringify(settings)], {
      detached: true,
      cwd: '/',
      stdio: ['ignore', 'ignore', log],
      env: {
        ...Object.fromEntries(HANDED_ON.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]]))),
        ...FEW_ARENAS,
      },
    })
    child.on('error', () => {})
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

function neverCame({ log }: Place, what: string): ToolError {
  const why = lastFailure(log)
  return new ToolError('unavailable', `The process that holds the index ${what}${why ? `: ${why}` : ''}`, {
    hint: `Searches continue without it. Its output is in ${log}`,
  })
}

function lastFailure(log: string): string | undefined {
  try {
    return readFileSync(log, 'utf8')
      .split('\n')
      .findLast(line => line.includes(' failed: '))
      ?.replace(/^.*? failed: /, '')
  } catch {
    return undefined
  }
}
