import { extensionOf } from '../../../languages/registry.ts'
import { once } from '../../../kernel/once.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Tree } from '../../tree/tree.ts'
import { residentBytes } from '../../../machine/process/resident-bytes.ts'
import type { Started } from '../../../machine/process/sandbox/types.ts'
import { createStaging } from '../../../machine/workspace/staging.ts'
import { visibleText } from '../visible-text.ts'
import { serverClient } from './server-client.ts'
import { within, type Deadline } from './deadline.ts'
import type { Program, ServerDefinition } from '../../../languages/server-definition.ts'
import { ensureSoundProjects } from './circular-config.ts'
import { hiddenTest, maskedTree, NOTHING_HIDDEN, type HiddenFiles } from './hidden-files.ts'
import { configuredDefinition, LANGUAGE_SERVERS } from './known-servers.ts'
import { launchServer } from './launch-server.ts'
import { liveServer, type LiveServer } from './live-server.ts'
import { notInstalled, notServed, serverLate, serverOver } from './server-error.ts'
import { serverMemory, type ServerMemory } from './server-memory.ts'
import { serverUris, type ServerUris } from './server-uris.ts'
import { emptySlot, stopServer, isGone, newSlot, suspect, reportProgress, type Seen, type Slot } from './server-slot.ts'
import type { StagedTexts } from './staged-texts.ts'
import type { ServerLimits, RunningServer, ServedLanguage, ServerClient, Servers, ServersParts } from './types.ts'

const PATIENCE: ServerLimits = {
  // A server that loads a large workspace may stay silent this long.
  initializeMs: 180_000,
  silentMs: 180_000,
  idleMs: 10 * 60_000,
  floodBytes: 32 * 1024 ** 2,
}

/** Servers per language, for callers with different hidden files. Beyond this, the least recently used one ends. */
const MOST_SIGHTS = 3

/** The servers of one workspace; none is started before it is asked. */
export const serverPool = (parts: ServersParts): Servers => new ServerPool(parts)

class ServerPool implements Servers {
  readonly #parts: ServersParts
  readonly #patience: ServerLimits
  readonly #definitions: readonly ServerDefinition[]
  readonly #places: ServerUris
  readonly #memory: ServerMemory
  readonly #ensureSound = ensureSoundProjects()
  /** The most recently used is last. */
  #slots: readonly Slot[] = []
  readonly #disk = createStaging()
  /** Includes those that are not initialized yet. */
  readonly #processes = new Map<Started, string>()
  #isClosed = false
  #tree: Tree | undefined
  readonly #opened = once(() => this.#openFiles())

  constructor(parts: ServersParts) {
    this.#parts = parts
    this.#patience = { ...PATIENCE, ...parts.patience }
    this.#definitions = [...parts.configured.map(configuredDefinition), ...LANGUAGE_SERVERS]
    this.#places = serverUris(parts.root.path)
    this.#memory = parts.memory ?? serverMemory()
  }

  async serves(path: string): Promise<boolean> {
    return this.#definitionOf(path)?.find(this.#parts.env) !== undefined
  }

  async known(): Promise<readonly ServedLanguage[]> {
    return this.#definitions.map(definition => ({
      name: definition.name,
      extensions: definition.extensions,
      installed: definition.find(this.#parts.env) !== undefined,
      install: definition.install,
    }))
  }

  async running(): Promise<readonly RunningServer[]> {
    return [...this.#processes].map(([{ pid }, name]) => ({ name, pid, memoryBytes: residentBytes(pid) }))
  }

  async ask<T>(
    path: string,
    staged: StagedTexts,
    deadline: Deadline,
    work: (server: ServerClient) => Promise<T>,
  ): Promise<T> {
    const definition = this.#definitionOf(path)
    if (!definition) throw notServed(path)
    const program = definition.find(this.#parts.env)
    if (!program) {
      const { name, install, isInstalled = false } = definition
      throw notInstalled(name, extensionOf(path), install, isInstalled)
    }
    const slot = this.#slotOf(definition, staged.hidden ?? NOTHING_HIDDEN)
    const late = (doing: string) => (): ToolError =>
      serverLate(definition.name, { doing, progress: slot.doing() }, deadline)
    if (definition.loadsByProject) {
      const { tree: files, readText } = await within(
        deadline,
        this.#filesFor(slot),
        late('had to wait for the list of files'),
      )
      this.#ensureSound(files, readText)
    }
    const places = this.#places
    const busy = late('was still answering others about another state of the workspace')
    return slot.turns.run(staged.key, deadline, busy, () =>
      this.#using(slot, deadline, async () => {
        const live = await within(deadline, this.#started(slot, program), late('was still starting'))
        const reportTimeout = (sentAt: number) => suspect(live, sentAt, this.#patience.silentMs)
        // One after another, so that the second finds all notifications sent.
        const follow = slot.following.then(() => live.follow(staged, deadline))
        slot.following = follow.catch(() => {})
        const sentAt = performance.now()
        await within(deadline, follow, late('was still loading the workspace')).catch((error: unknown) => {
          if (error instanceof ToolError && error.code === 'timeout') reportTimeout(sentAt)
          throw error
        })
        return work(
          serverClient({
            definition,
            live,
            places,
            deadline,
            unanswered: reportTimeout,
            isAwaited: slot.turns.isAwaited,
          }),
        )
      }),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const running = this.#slots.flatMap(({ live }) => live ?? [])
    for (const slot of this.#slots) clearTimeout(slot.idle)
    for (const process of this.#processes.keys()) process.end('cancelled')
    await Promise.all(running.map(stopServer))
    this.#tree?.close()
  }

  async #openFiles(): Promise<Tree> {
    if (this.#parts.tree) return this.#parts.tree
    const { openTree } = await import('../../tree/open-tree.ts')
    const tree = openTree(this.#parts.root)
    this.#tree = tree
    if (this.#isClosed) tree.close()
    return tree
  }

  #definitionOf(path: string): ServerDefinition | undefined {
    return this.#definitions.find(({ extensions }) => extensions.includes(extensionOf(path)))
  }

  #slotOf(definition: ServerDefinition, hidden: HiddenFiles): Slot {
    const slot =
      this.#slots.find(one => one.definition === definition && one.hidden.key === hidden.key) ??
      newSlot(definition, hidden)
    const others = this.#slots.filter(one => one !== slot)
    const idle = others.filter(one => one.definition === definition && one.users === 0)
    const tooMany = others.filter(one => one.definition === definition).length + 1 - MOST_SIGHTS
    const ending = new Set(idle.slice(0, Math.max(0, tooMany)))
    for (const old of ending) {
      clearTimeout(old.idle)
      emptySlot(old)
    }
    this.#slots = [...others.filter(one => !ending.has(one)), slot]
    return slot
  }

  async #using<T>(slot: Slot, deadline: Deadline, work: () => Promise<T>): Promise<T> {
    clearTimeout(slot.idle)
    slot.users++
    slot.usedAt = performance.now()
    const stop = reportProgress(slot, deadline)
    try {
      return await work()
    } finally {
      stop()
      this.#memory.check()
      if (--slot.users === 0 && !this.#isClosed)
        slot.idle = setTimeout(() => emptySlot(slot), this.#patience.idleMs).unref()
    }
  }

  /** The complete list of files that a server sees. */
  async #filesFor(slot: Slot): Promise<Seen> {
    const files = await this.#opened()
    await files.caughtUp()
    const isHidden = hiddenTest(slot.hidden)
    return (slot.seen ??= {
      tree: maskedTree(files, slot.hidden),
      readText: path => (isHidden(path) ? undefined : visibleText(this.#parts.root, this.#disk, path)),
    })
  }

  /** Returns the running server, or starts a new one. */
  async #started(slot: Slot, program: Program): Promise<LiveServer> {
    const before = slot.live
    if (before && !(await isGone(before, slot.users <= 1))) return before
    // Another question may have restarted it meanwhile.
    if (slot.live && slot.live !== before) return slot.live
    return (slot.live = this.#start(slot, program))
  }

  async #start(slot: Slot, program: Program): Promise<LiveServer> {
    if (this.#isClosed) throw serverOver(slot.definition.name, 'was not started: the workspace is closed')
    slot.following = Promise.resolve()
    slot.doing = () => undefined
    const { definition, hidden } = slot
    const slotFiles = await this.#filesFor(slot)
    const process = await launchServer(this.#parts, definition.name, program, hidden)
    this.#processes.set(process, definition.name)
    const unwatch = this.#memory.add({
      pid: process.pid,
      usedAt: () => slot.usedAt,
      isBusy: () => slot.users > 0,
      end: () => emptySlot(slot),
    })
    const forget = () => {
      this.#processes.delete(process)
      unwatch()
    }
    process.exit.then(forget, forget)
    if (this.#isClosed) process.end('cancelled')
    const live = await liveServer({
      definition,
      started: process,
      root: this.#parts.root.path,
      places: this.#places,
      ...this.#patience,
      ...slotFiles,
    })
    slot.doing = () => live.connection.progress().words
    return live
  }
}
