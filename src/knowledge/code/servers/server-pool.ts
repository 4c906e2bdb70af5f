import { z } from 'zod'
import { once } from '../../../kernel/once.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Tree } from '../../tree/tree.ts'
import { residentBytes } from '../../../machine/process/resident-bytes.ts'
import type { Started } from '../../../machine/process/sandbox/types.ts'
import { createStaging } from '../../../machine/workspace/staging.ts'
import { visibleText } from '../visible-text.ts'
import { serverClient } from './server-client.ts'
import { deadlineIn, within, type Deadline } from './deadline.ts'
import type { Program, ServerDefinition } from './definition.ts'
import { demandSoundProjects } from './circular-config.ts'
import { extensionOf } from './documents.ts'
import { hiddenTest, maskedTree, NOTHING_HIDDEN, type HiddenFiles } from './hidden-files.ts'
import { configured, SERVERS_ON_PATH } from './servers-on-path.ts'
import { INSTALLED_SERVERS } from './installed-servers.ts'
import { launchServer } from './launch-server.ts'
import { liveServer, type LiveParts, type LiveServer } from './live-server.ts'
import { notInstalled, notServed, serverLate, serverOver } from './server-error.ts'
import { serverMemory } from './server-memory.ts'
import { serverPlaces } from './server-places.ts'
import { createRequestQueue, type RequestQueue } from './request-queue.ts'
import type { Patience, Servers, ServersParts } from './types.ts'

const PATIENCE: Patience = {
  // One that loads a large workspace may say nothing for so long.
  initializeMs: 180_000,
  silentMs: 180_000,
  idleMs: 10 * 60_000,
  floodBytes: 32 * 1024 ** 2,
}

const PROGRESS_MS = 500
/** Of one language, for callers from whom different files are hidden: of more, the one asked longest ago is ended. */
const MOST_SIGHTS = 3

/** One server and who uses it. */
interface Slot {
  readonly definition: ServerDefinition
  readonly hidden: HiddenFiles
  readonly turns: RequestQueue
  seen: Seen | undefined
  live: Promise<LiveServer> | undefined
  /** What it says it is doing while it starts and loads. */
  doing: () => string | undefined
  following: Promise<void>
  users: number
  usedAt: number
  idle: NodeJS.Timeout | undefined
}

type Seen = Pick<LiveParts, 'tree' | 'readText'>

/** The servers of one workspace; none is started before it is asked. */
export function serverPool(parts: ServersParts): Servers {
  const { root, env } = parts
  const patience = { ...PATIENCE, ...parts.patience }
  const definitions = [...parts.configured.map(configured), ...INSTALLED_SERVERS, ...SERVERS_ON_PATH]
  const places = serverPlaces(root.path)
  const memory = parts.memory ?? serverMemory()
  const demandSound = demandSoundProjects()
  /** The one asked last is last. */
  let slots: readonly Slot[] = []
  const disk = createStaging()
  /** Also those that have not introduced themselves yet. */
  const processes = new Map<Started, string>()
  let isClosed = false
  let tree: Tree | undefined
  const opened = once(async () => {
    if (parts.tree) return parts.tree
    const { openTree } = await import('../../tree/open-tree.ts')
    tree = openTree(root)
    if (isClosed) tree.close()
    return tree
  })
  const definitionOf = (path: string) => definitions.find(({ extensions }) => extensions.includes(extensionOf(path)))
  return {
    serves: async path => definitionOf(path)?.find(env) !== undefined,
    known: async () =>
      definitions.map(definition => ({
        name: definition.name,
        extensions: definition.extensions,
        installed: definition.find(env) !== undefined,
        install: definition.install,
      })),
    running: async () => [...processes].map(([{ pid }, name]) => ({ name, pid, memoryBytes: residentBytes(pid) })),
    async ask(path, staged, deadline, work) {
      const definition = definitionOf(path)
      if (!definition) throw notServed(path)
      const program = definition.find(env)
      if (!program) {
        const { name, install } = definition
        throw notInstalled(name, extensionOf(path), install, INSTALLED_SERVERS.includes(definition))
      }
      const slot = slotOf(definition, staged.hidden ?? NOTHING_HIDDEN)
      const late = (doing: string) => (): ToolError =>
        serverLate(definition.name, { doing, progress: slot.doing() }, deadline)
      if (definition.loadsByProject) {
        const { tree: files, readText } = await within(
          deadline,
          filesFor(slot),
          late('had to wait for the list of files'),
        )
        demandSound(files, readText)
      }
      const busy = late('was still answering others about another state of the workspace')
      return slot.turns.run(staged.key, deadline, busy, () =>
        using(slot, deadline, async () => {
          const live = await within(deadline, started(slot, program), late('was still starting'))
          const unanswered = (sentAt: number) => suspect(live, sentAt)
          // One after another: whoever comes second finds everything told.
          const follow = slot.following.then(() => live.follow(staged, deadline))
          slot.following = follow.catch(() => {})
          const sentAt = performance.now()
          await within(deadline, follow, late('was still loading the workspace')).catch((error: unknown) => {
            if (error instanceof ToolError && error.code === 'timeout') unanswered(sentAt)
            throw error
          })
          return work(serverClient({ definition, live, places, deadline, unanswered, isAwaited: slot.turns.isAwaited }))
        }),
      )
    },
    async close() {
      isClosed = true
      const running = slots.flatMap(({ live }) => live ?? [])
      for (const slot of slots) clearTimeout(slot.idle)
      for (const process of processes.keys()) process.end('cancelled')
      await Promise.all(running.map(ended))
      tree?.close()
    },
  }

  function slotOf(definition: ServerDefinition, hidden: HiddenFiles): Slot {
    const slot = slots.find(one => one.definition === definition && one.hidden.key === hidden.key) ?? {
      definition,
      hidden,
      turns: createRequestQueue(),
      seen: undefined,
      live: undefined,
      doing: () => undefined,
      following: Promise.resolve(),
      users: 0,
      usedAt: 0,
      idle: undefined,
    }
    const others = slots.filter(one => one !== slot)
    const idle = others.filter(one => one.definition === definition && one.users === 0)
    const tooMany = others.filter(one => one.definition === definition).length + 1 - MOST_SIGHTS
    const ending = new Set(idle.slice(0, Math.max(0, tooMany)))
    for (const old of ending) {
      clearTimeout(old.idle)
      rest(old)
    }
    slots = [...others.filter(one => !ending.has(one)), slot]
    return slot
  }

  async function using<T>(slot: Slot, deadline: Deadline, work: () => Promise<T>): Promise<T> {
    clearTimeout(slot.idle)
    slot.users++
    slot.usedAt = performance.now()
    const stop = tellProgress(slot, deadline)
    try {
      return await work()
    } finally {
      stop()
      memory.check()
      if (--slot.users === 0 && !isClosed) slot.idle = setTimeout(() => rest(slot), patience.idleMs).unref()
    }
  }

  /** The files that a server sees, all of them known. */
  async function filesFor(slot: Slot): Promise<Seen> {
    const files = await opened()
    await files.caughtUp()
    const isHidden = hiddenTest(slot.hidden)
    return (slot.seen ??= {
      tree: maskedTree(files, slot.hidden),
      readText: path => (isHidden(path) ? undefined : visibleText(root, disk, path)),
    })
  }

  function rest(slot: Slot): void {
    const { live } = slot
    slot.live = undefined
    slot.doing = () => undefined
    if (live) void ended(live)
  }

  /** The running server, or a new one if there is none any more. */
  async function started(slot: Slot, program: Program): Promise<LiveServer> {
    const before = slot.live
    if (before && !(await isGone(before, slot.users <= 1))) return before
    // Whoever else found it gone may have started it meanwhile.
    if (slot.live && slot.live !== before) return slot.live
    return (slot.live = start(slot, program))
  }

  async function start(slot: Slot, program: Program): Promise<LiveServer> {
    if (isClosed) throw serverOver(slot.definition.name, 'was not started: the workspace is closed')
    slot.following = Promise.resolve()
    slot.doing = () => undefined
    const { definition, hidden } = slot
    const seen = await filesFor(slot)
    const process = await launchServer(parts, definition.name, program, hidden)
    processes.set(process, definition.name)
    const unwatch = memory.add({
      pid: process.pid,
      usedAt: () => slot.usedAt,
      isBusy: () => slot.users > 0,
      end: () => rest(slot),
    })
    const forget = () => {
      processes.delete(process)
      unwatch()
    }
    process.exit.then(forget, forget)
    if (isClosed) process.end('cancelled')
    const live = await liveServer({
      definition,
      started: process,
      root: root.path,
      places,
      ...patience,
      ...seen,
    })
    slot.doing = () => live.connection.progress().words
    return live
  }

  /** Ended unless it gives a sign of life, for which a question that it does not know is enough. */
  function suspect({ connection, stop }: LiveServer, sentAt: number): void {
    const { silentMs } = patience
    const wait = Math.max(0, sentAt + silentMs - performance.now())
    connection.request('toolwright/alive', {}, z.unknown(), deadlineIn(wait)).catch(() => {})
    const judge = () => {
      if (connection.heardAt() < sentAt) stop(`was ended: it gave no sign of life for ${silentMs / 1000} s`)
    }
    setTimeout(judge, wait).unref()
  }
}

/** Tells what the server does to whoever waits for it, each time that it says something else. */
function tellProgress(slot: Slot, { onProgress }: Deadline): () => void {
  if (!onProgress) return () => {}
  let last: string | undefined
  const tell = () => {
    const doing = slot.doing()
    if (doing === undefined || doing === last) return
    last = doing
    onProgress(`${slot.definition.name}: ${doing}`)
  }
  tell()
  const timer = setInterval(tell, PROGRESS_MS)
  return () => {
    clearInterval(timer)
    // A question that is given up was told how far it came.
    tell()
  }
}

/** One that others ask right now goes on until they have their answers. */
const isGone = (live: Promise<LiveServer>, isAlone: boolean): Promise<boolean> =>
  live.then(
    ({ connection, isOutdated, stop }) => {
      if (isAlone && isOutdated()) stop('was started anew: too many files have changed since it read them')
      return connection.over() !== undefined
    },
    () => true,
  )

async function ended(live: Promise<LiveServer>): Promise<void> {
  const server = await live.catch(() => undefined)
  server?.stop('was stopped')
  await server?.connection.exit
}
