import { statSync, truncateSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceState, type Environment } from '../machine/state/directory.ts'
import { openLock, type Lock } from '../machine/state/lock.ts'
import { openRoot, type Root } from '../machine/workspace/root.ts'
import { askToLeave } from './connect.ts'
import { watchLifetime, type Lifetime } from './lifetime.ts'
import type { KnowledgeRules } from '../knowledge/answers/open-knowledge.ts'
import { ownBuild, type Build } from './own-build.ts'
import { makePlace, otherSockets, placeOf, type Place } from './place.ts'
import { serve, type Served } from './serve.ts'
import { searchStore } from './search-store.ts'
import type { ResidentSettings } from './settings.ts'
import type { ResidentStatus } from './status.ts'
import { userOf } from './user-of.ts'

/**
 * Runs the process: takes the lock of its place, listens, answers, and ends when it is no longer needed. Resolves with
 * the reason; at once if another process holds the place.
 */
export async function runResident(
  settings: ResidentSettings,
  env: Environment,
  rules: KnowledgeRules,
): Promise<string> {
  const state = workspaceState(settings.root, env)
  if (state.key !== settings.key) throw new Error(`${settings.root} is not the directory that was meant`)
  const build = ownBuild()
  const place = placeOf(state.path, build)
  makePlace(place)
  const lock = openLock(place.lock)
  try {
    if (!isMine(lock)) return 'another process'
    shorten(place.log)
    const root = openRoot(settings.root)
    try {
      return await live(settings, { build, place, root, state: state.path, env, rules })
    } finally {
      root.close()
    }
  } finally {
    lock.close()
  }
}

interface Life {
  readonly build: Build
  readonly place: Place
  readonly root: Root
  readonly state: string
  readonly env: Environment
  readonly rules: KnowledgeRules
}

async function live(settings: ResidentSettings, { build, place, root, state, env, rules }: Life): Promise<string> {
  const over = Promise.withResolvers<string>()
  const since = Date.now()
  // Loaded only after the lock is taken, so that a second process ends quickly.
  const { openKnowledge } = await import('../knowledge/answers/open-knowledge.ts')
  const store = searchStore(state)
  const open = openKnowledge({ root, state, store, env, memoryBytes: settings.memoryBytes, rules })
  let lifetime: Lifetime | undefined
  let service: Served | undefined
  const status = async (): Promise<ResidentStatus> => ({
    pid: process.pid,
    version: build.version,
    root: root.path,
    uptimeMs: Date.now() - since,
    clients: service?.clients() ?? 0,
    memoryBytes: process.memoryUsage.rss(),
    idleMs: settings.idleMs,
    parts: await open.status(),
    processes: await open.processes(),
  })
  const leave = (): true => {
    // Sends the answer first.
    setImmediate(() => over.resolve('asked to leave'))
    return true
  }
  try {
    service = await serve({
      place,
      build,
      user: userOf(env),
      answers: { status, leave, ping: () => true, ...open.knowledge },
      onClients(count) {
        lifetime?.clients(count)
        open.clients(count)
      },
      onLeave: leave,
    })
    lifetime = watchLifetime({ place, root, idleMs: settings.idleMs, end: over.resolve })
    void dismissOthers(place, build)
    return await over.promise
  } finally {
    lifetime?.stop()
    await service?.close()
    await open.close()
  }
}

function isMine(lock: Lock): boolean {
  try {
    lock.acquire(0)
    return true
  } catch {
    return false
  }
}

/** Asks processes of other builds to end if unused, and cleans up after dead ones. */
async function dismissOthers(place: Place, build: Build): Promise<void> {
  for (const socket of otherSockets(place)) {
    try {
      await askToLeave(place.directory, socket, build)
      tidy(place.directory, socket.slice(0, -'.sock'.length))
    } catch {
      // Another process is cleaning up; the next one tries again.
    }
  }
}

function tidy(directory: string, name: string): void {
  const lock = openLock(join(directory, `${name}.lock`))
  try {
    if (!isMine(lock)) return
    for (const end of ['sock', 'log', 'start', 'lock']) unlinkIn(directory, `${name}.${end}`)
  } finally {
    lock.close()
  }
}

function unlinkIn(directory: string, name: string): void {
  try {
    unlinkSync(join(directory, name))
  } catch {}
}

const LOG_BYTES = 64 * 1024

function shorten(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) truncateSync(log)
}
