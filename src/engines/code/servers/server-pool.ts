import { z } from 'zod'
import { once } from '../../../kernel/once.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Tree } from '../../index/tree/tree.ts'
import { residentBytes } from '../../process/resident-bytes.ts'
import { noSandbox } from '../../process/run-error.ts'
import type { Limits, Started } from '../../process/sandbox/types.ts'
import type { CommandLimits } from '../../process/types.ts'
import { createStaging } from '../../workspace/staging.ts'
import { seenText } from '../seen-text.ts'
import { askedServer } from './asked-server.ts'
import { deadlineIn, within } from './deadline.ts'
import type { Program, ServerDefinition } from './definition.ts'
import { extensionOf } from './documents.ts'
import { hiddenTest, NOTHING_HIDDEN, type HiddenFiles } from './hidden-files.ts'
import { configured, FOUND } from './found-servers.ts'
import { INSTALLED } from './installed-servers.ts'
import { liveServer, type LiveServer } from './live-server.ts'
import { maskedTree } from './masked-tree.ts'
import { notInstalled, notServed, serverLate, serverOver, unmasked } from './server-error.ts'
import { serverPlaces } from './server-places.ts'
import { createTurns, type Turns } from './turns.ts'
import type { Patience, Servers, ServersParts } from './types.ts'

const PATIENCE: Patience = {
  initializeMs: 15_000,
  silentMs: 10_000,
  idleMs: 10 * 60_000,
  floodBytes: 32 * 1024 ** 2,
}

const FOR_EVER_MS = 7 * 86_400_000
/** Of one language, for callers from whom different files are hidden: of more, the one asked longest ago is ended. */
const MOST_SIGHTS = 3

/** One server and who uses it. */
interface Slot {
  readonly definition: ServerDefinition
  readonly hidden: HiddenFiles
  readonly turns: Turns
  live: Promise<LiveServer> | undefined
  following: Promise<void>
  users: number
  idle: NodeJS.Timeout | undefined
}

/** The servers of one workspace; none is started before it is asked. */
export function serverPool(parts: ServersParts): Servers {
  const { root, env, off } = parts
  const patience = { ...PATIENCE, ...parts.patience }
  const definitions = [...parts.configured.map(configured), ...INSTALLED, ...FOUND]
  const places = serverPlaces(root.path)
  /** The one asked last is last. */
  let slots: readonly Slot[] = []
  const disk = createStaging()
  /** Also those that have not introduced themselves yet. */
  const processes = new Map<Started, string>()
  let isClosed = false
  let tree: Tree | undefined
  const opened = once(async () => {
    if (parts.tree) return parts.tree
    const { openTree } = await import('../../index/tree/open-tree.ts')
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
      if (!program) throw notInstalled(definition.name, extensionOf(path), definition.install)
      const slot = slotOf(definition, staged.hidden ?? NOTHING_HIDDEN)
      const late = (doing: string) => (): ToolError => serverLate(definition.name, doing)
      const busy = late('was still answering others about another state of the workspace')
      return slot.turns.run(staged.key, deadline, busy, () =>
        using(slot, async () => {
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
          return work(askedServer({ definition, live, places, deadline, unanswered }))
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
      turns: createTurns(),
      live: undefined,
      following: Promise.resolve(),
      users: 0,
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

  async function using<T>(slot: Slot, work: () => Promise<T>): Promise<T> {
    clearTimeout(slot.idle)
    slot.users++
    try {
      return await work()
    } finally {
      if (--slot.users === 0 && !isClosed) slot.idle = setTimeout(() => rest(slot), patience.idleMs).unref()
    }
  }

  function rest(slot: Slot): void {
    const { live } = slot
    slot.live = undefined
    if (live) void ended(live)
  }

  /** The running server, or a new one where there is none any more. */
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
    const files = await opened()
    await files.caughtUp()
    const { definition, hidden } = slot
    const isHidden = hiddenTest(hidden)
    return liveServer({
      definition,
      started: await launched(definition.name, program, hidden),
      tree: maskedTree(files, hidden),
      root: root.path,
      places,
      ...patience,
      readText: path => (isHidden(path) ? undefined : seenText(root, disk, path)),
    })
  }

  async function launched(
    name: string,
    { argv, env: more = {}, visible }: Program,
    hidden: HiddenFiles,
  ): Promise<Started> {
    if (off && hidden.paths.length > 0) throw unmasked(name)
    const { openSandbox } = await import('../../process/sandbox/open-sandbox.ts')
    const sandbox = openSandbox({ root: root.path, off, env, visible })
    const report = sandbox.report()
    if (!report.usable) throw noSandbox(report)
    const process = sandbox.start({
      root: root.path,
      argv,
      cwd: '.',
      env: { ...more, LANG: 'C.UTF-8' },
      tree: { kind: 'read-only' },
      readOnly: [],
      hidden: hidden.paths,
      network: undefined,
      limits: limitsOf(parts.limits),
      stdin: 'pipe',
    })
    processes.set(process, name)
    const forget = () => processes.delete(process)
    process.exit.then(forget, forget)
    if (isClosed) process.end('cancelled')
    return process
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

/** As for a command, but it goes on for as long as it is asked. */
function limitsOf(given: CommandLimits): Limits {
  const { timeoutMs: _, ...limits } = given
  return { ...limits, wallMs: FOR_EVER_MS, cpuSeconds: FOR_EVER_MS / 1000 }
}
