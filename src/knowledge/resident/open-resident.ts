import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../machine/state/directory.ts'
import { hasResidentSocket } from '../../machine/state/resident-socket.ts'
import type { Connection } from './connect.ts'
import type { ResidentSettings } from './settings.ts'

/**
 * Whether the process of the workspace is used where it is there, also started where it is not, started only for
 * language servers, or left alone.
 */
export type ResidentUse = 'use' | 'start' | 'servers' | 'off'

/** The process of a workspace as one program uses it. */
export interface Resident {
  /** A line to it, at once; undefined if there is none, which may be on its way then. */
  reach(): Promise<Connection | undefined>
  /** The same for whoever can do without: none is started, and undefined at once where there surely is none. */
  /** A line for whoever wants a language server: a process that is to be started for that is waited for. */
  reachStarted(): Promise<Connection | undefined>
  /** Such a process is on its way. */
  isStarting(): boolean
  near(): Connection | Promise<Connection | undefined> | undefined
  close(): void
}

interface ResidentOptions {
  readonly use: ResidentUse
  /** The workspace's own folder in the state directory. */
  readonly state: string
  readonly env: Environment
  readonly settings: ResidentSettings
}

const START_MS = 30_000
/** A process that keeps dying is not started for ever. */
const MOST_STARTS = 3
const WITHIN_MS = 300_000
/** One that is there and says nothing, such as one that is stopped, is left alone for so long. */
const SILENT_MS = 10_000

/** Where there was none, nobody who can do without it looks again for so long. */
const ABSENT_MS = 1000

/** Nothing is loaded, opened or started before somebody reaches for it. */
export function openResident({ use, state, env, settings }: ResidentOptions): Resident {
  let line: Connection | undefined
  let reaching: Promise<Connection | undefined> | undefined
  const starts: number[] = []
  let starting: Promise<void> | undefined
  let nearing: Promise<Connection | undefined> | undefined
  let silentUntil = 0
  let absentUntil = 0
  const ended = new AbortController()

  async function connectOrStart(): Promise<Connection | undefined> {
    const near = await nearing
    if (near) return near
    if ((use === 'use' || use === 'servers') && !existsSync(join(state, 'resident'))) return undefined
    const found = await connect()
    if (!found && use === 'start') void startOnce()
    return found
  }

  async function connect(): Promise<Connection | undefined> {
    const [{ meet }, { ownBuild }, { placeOf }, { userOf }] = await Promise.all([
      import('./connect.ts'),
      import('./own-build.ts'),
      import('./place.ts'),
      import('./user-of.ts'),
    ])
    const build = ownBuild()
    const met = await meet(placeOf(state, build), build, ended.signal)
    if (met === 'silent') return void (silentUntil = Date.now() + SILENT_MS)
    // One that was started with other ignore files of the user would see other files.
    const isOther = met?.user !== undefined && met.user !== userOf(env)
    if (ended.signal.aborted || isOther) return void met?.close()
    return (line = met)
  }

  const isSilent = (): boolean => {
    if (line?.isSilent()) [silentUntil, line] = [Date.now() + SILENT_MS, undefined]
    return Date.now() < silentUntil
  }

  /** One start for all who want it. */
  function startOnce(): Promise<void> {
    if (isSilent() || ended.signal.aborted) return Promise.resolve()
    return (starting ??= start().finally(() => (starting = undefined)))
  }

  async function start(): Promise<void> {
    const now = Date.now()
    if (starts.filter(at => now - at < WITHIN_MS).length >= MOST_STARTS) return
    starts.push(now)
    const { ensureResident } = await import('./start.ts')
    try {
      const started = await ensureResident({ state, env, settings, timeoutMs: START_MS, signal: ended.signal })
      // The next one who asks makes a line of its own.
      started.close()
    } catch {
      // What cannot be started is done without.
    }
  }

  async function reach(): Promise<Connection | undefined> {
    if (use === 'off' || ended.signal.aborted) return undefined
    if (line?.isOpen()) return line
    if (isSilent()) return undefined
    reaching ??= connectOrStart().finally(() => (reaching = undefined))
    return reaching
  }

  return {
    reach,
    async reachStarted() {
      const found = await reach()
      if (found || use === 'use' || use === 'off') return found
      await startOnce()
      return reach()
    },
    isStarting: () => starting !== undefined,
    near() {
      if (use === 'off' || ended.signal.aborted) return undefined
      if (line?.isOpen()) return line
      if (reaching ?? nearing) return reaching ?? nearing
      const now = Date.now()
      if (now < absentUntil || isSilent()) return undefined
      absentUntil = now + ABSENT_MS
      if (!hasResidentSocket(state)) return undefined
      return (nearing = connect().finally(() => (nearing = undefined)))
    },
    close() {
      ended.abort()
      line?.close()
    },
  }
}
