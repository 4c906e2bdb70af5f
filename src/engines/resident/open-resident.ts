import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../state/directory.ts'
import type { Connection } from './connect.ts'
import type { ResidentSettings } from './settings.ts'

/** Whether the process of the workspace is used where it is there, also started where it is not, or left alone. */
export type ResidentUse = 'use' | 'start' | 'off'

/** The process of a workspace as one program uses it. */
export interface Resident {
  /** A line to it, at once; undefined where there is none, which may be on its way then. */
  reach(): Promise<Connection | undefined>
  close(): void
}

export interface ResidentOptions {
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

/** Nothing is loaded, opened or started before somebody reaches for it. */
export function openResident({ use, state, env, settings }: ResidentOptions): Resident {
  let line: Connection | undefined
  let reaching: Promise<Connection | undefined> | undefined
  const starts: number[] = []
  let silentUntil = 0
  const ended = new AbortController()

  async function connectOrStart(): Promise<Connection | undefined> {
    if (use === 'use' && !existsSync(join(state, 'resident'))) return undefined
    const [{ meet }, { ownBuild }, { placeOf }] = await Promise.all([
      import('./connect.ts'),
      import('./own-build.ts'),
      import('./place.ts'),
    ])
    const build = ownBuild()
    const met = await meet(placeOf(state, build), build)
    if (met === 'silent') return void (silentUntil = Date.now() + SILENT_MS)
    const found = met
    if (ended.signal.aborted) return void found?.close()
    line = found
    if (!found && use === 'start') void start()
    return found
  }

  /** Whoever asks now does not wait for it. */
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

  return {
    async reach() {
      if (use === 'off' || ended.signal.aborted) return undefined
      if (line?.isOpen()) return line
      if (line?.isSilent()) [silentUntil, line] = [Date.now() + SILENT_MS, undefined]
      if (Date.now() < silentUntil) return undefined
      reaching ??= connectOrStart().finally(() => (reaching = undefined))
      return reaching
    },
    close() {
      ended.abort()
      line?.close()
    },
  }
}
