import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../machine/state/directory.ts'
import { hasResidentSocket } from '../machine/state/resident-socket.ts'
import type { Connection } from './connect.ts'
import type { ResidentSettings } from './settings.ts'

/**
 * Use of the resident process: `use` it if it runs, `start` it if not, start it only for language `servers`, or `off`.
 */
export type ResidentUse = 'use' | 'start' | 'servers' | 'off'

/** The process of a workspace, for one program. */
export interface Resident {
  /** Returns a connection at once, or undefined if there is none; one may then be starting. */
  reach(): Promise<Connection | undefined>
  /** Returns a connection for a language server. Waits for a process that must be started for it. */
  reachStarted(): Promise<Connection | undefined>
  /** Reports whether such a process is starting. */
  isStarting(): boolean
  /** Returns a connection for callers that can do without. Starts no process; undefined at once if there is none. */
  near(): Connection | Promise<Connection | undefined> | undefined
  close(): void
}

interface ResidentOptions {
  readonly use: ResidentUse
  /** The workspace's folder in the state directory. */
  readonly state: string
  readonly env: Environment
  readonly settings: ResidentSettings
}

const START_MS = 30_000
/** Most starts of a process that keeps dying. */
const MOST_STARTS = 3
const WITHIN_MS = 300_000
/** How long a process that does not respond, such as a stopped one, is left alone. */
const SILENT_MS = 10_000

/** After finding none, callers that can do without do not look again for this long. */
const ABSENT_MS = 1000

/** Loads, opens and starts everything on first use. */
export function openResident({ use, state, env, settings }: ResidentOptions): Resident {
  let line: Connection | undefined
  let reaching: Promise<Connection | undefined> | undefined
  const starts: number[] = []
  let starting: Promise<void> | undefined
  let nearing: Promise<Connection | undefined> | undefined
  let silentUntil = 0
  let absentUntil = 0
  const ending = new AbortController()

  async function connectOrStart(): Promise<Connection | undefined> {
    const near = await nearing
    if (near) return near
    if ((use === 'use' || use === 'servers') && !existsSync(join(state, 'resident'))) return undefined
    const connection = await connect()
    if (!connection && use === 'start') void startOnce()
    return connection
  }

  async function connect(): Promise<Connection | undefined> {
    const [{ meet }, { ownBuild }, { placeOf }, { userOf }] = await Promise.all([
      import('./connect.ts'),
      import('./own-build.ts'),
      import('./place.ts'),
      import('./user-of.ts'),
    ])
    const build = ownBuild()
    const reachedLine = await meet(placeOf(state, build), build, ending.signal)
    if (reachedLine === 'silent') return void (silentUntil = Date.now() + SILENT_MS)
    // One started with other ignore files of the user would see other files.
    const isOther = reachedLine?.user !== undefined && reachedLine.user !== userOf(env)
    if (ending.signal.aborted || isOther) return void reachedLine?.close()
    return (line = reachedLine)
  }

  const isSilent = (): boolean => {
    if (line?.isSilent()) [silentUntil, line] = [Date.now() + SILENT_MS, undefined]
    return Date.now() < silentUntil
  }

  /** Starts one process for all callers. */
  function startOnce(): Promise<void> {
    if (isSilent() || ending.signal.aborted) return Promise.resolve()
    return (starting ??= start().finally(() => (starting = undefined)))
  }

  async function start(): Promise<void> {
    const now = Date.now()
    if (starts.filter(at => now - at < WITHIN_MS).length >= MOST_STARTS) return
    starts.push(now)
    const { ensureResident } = await import('./start.ts')
    try {
      const startedLine = await ensureResident({ state, env, settings, timeoutMs: START_MS, signal: ending.signal })
      // The next caller opens its own connection.
      startedLine.close()
    } catch {
      // Continue without a process that cannot be started.
    }
  }

  async function reach(): Promise<Connection | undefined> {
    if (use === 'off' || ending.signal.aborted) return undefined
    if (line?.isOpen()) return line
    if (isSilent()) return undefined
    reaching ??= connectOrStart().finally(() => (reaching = undefined))
    return reaching
  }

  return {
    reach,
    async reachStarted() {
      const connection = await reach()
      if (connection || use === 'use' || use === 'off') return connection
      await startOnce()
      return reach()
    },
    isStarting: () => starting !== undefined,
    near() {
      if (use === 'off' || ending.signal.aborted) return undefined
      if (line?.isOpen()) return line
      if (reaching ?? nearing) return reaching ?? nearing
      const now = Date.now()
      if (now < absentUntil || isSilent()) return undefined
      absentUntil = now + ABSENT_MS
      if (!hasResidentSocket(state)) return undefined
      return (nearing = connect().finally(() => (nearing = undefined)))
    },
    close() {
      ending.abort()
      line?.close()
    },
  }
}
