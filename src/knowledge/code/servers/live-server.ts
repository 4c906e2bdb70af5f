import { z } from 'zod'
import { extensionOf } from '../../../languages/registry.ts'
import { RecentMap } from '../../../kernel/recent-map.ts'
import type { Connection } from './connection.ts'
import { within, type Deadline } from './deadline.ts'
import type { ServerDefinition } from '../../../languages/server-definition.ts'
import { createDocuments } from './documents.ts'
import { newDirectories } from './new-directories.ts'
import { fileCommands, type FileCommands } from './file-commands.ts'
import { initializeServer, type InitializeParts } from './initialize-server.ts'
import { includingFiles } from './including-files.ts'
import type { Diagnostic } from './lsp-schemas.ts'
import { projectsOf, type Projects } from '../../../languages/typescript/projects.ts'
import { pushedDiagnostics } from './pushed-diagnostics.ts'
import { serverLate } from './server-error.ts'
import type { StagedTexts } from './staged-texts.ts'

/** A started server that follows the workspace. */
export interface LiveServer {
  readonly connection: Connection
  readonly capabilities: Readonly<Record<string, unknown>>
  /** The number of files that would have to be open, but are too many. */
  unknown(): number
  /** Reports whether it has answered a question about a meaning since its start, and is not indexing. */
  isReady(): boolean
  /** Notes such an answer. */
  noteAnswer(): void
  /** Reports whether so much has changed that a restart is cheaper than rereading. */
  isOutdated(): boolean
  /** Notifies it of all changes, on disk and staged. */
  follow(staged: StagedTexts, deadline: Deadline): Promise<void>
  /**
   * Prepares a question about a file: opens it if the server needs that, and waits until the server has read
   * everything.
   */
  ready(path: string, deadline: Deadline): Promise<void>
  /** Opens a file that the server ignores otherwise. */
  opened(path: string): Promise<void>
  /** Returns the pushed diagnostics of a file's current version. */
  pushed(path: string, deadline: Deadline): Promise<readonly Diagnostic[]>
  stop(why: string): void
}

export interface LiveParts extends InitializeParts {
  readText(path: string): string | undefined
}

/** Open documents take memory on both sides. */
const MOST_LOOSE = 2_000
const MOST_ASKED = 100
const MOST_CHANGED = 300
/** A server that indexes reports it by then. */
const SILENT_MS = 400
/** A server that always indexes gets longer: a busy machine is slow. */
const SILENT_BEFORE_INDEX_MS = 20_000
const LOOK_MS = 15
const PUSHED_MS = 5

/** Initializes a started server; throws if it does not answer. */
export async function liveServer(parts: LiveParts): Promise<LiveServer> {
  const { definition } = parts
  const isServed = (path: string) => definition.extensions.includes(extensionOf(path))
  const commands = fileCommands(definition, parts.root)
  const { connection, capabilities } = await initializeServer(parts, commands, isServed)
  const server = new FollowingServer(parts, connection, commands, isServed)
  // Closures and no methods, because callers take some of them out.
  return {
    connection,
    capabilities,
    unknown: () => server.unknown(),
    isReady: () => server.isReady(),
    noteAnswer: () => server.noteAnswer(),
    isOutdated: () => server.isOutdated(),
    follow: (staged, deadline) => server.follow(staged, deadline),
    ready: (path, deadline) => server.ready(path, deadline),
    opened: path => server.opened(path),
    pushed: (path, deadline) => server.pushed(path, deadline),
    stop: why => connection.end(why),
  }
}

class FollowingServer implements Omit<LiveServer, 'connection' | 'capabilities' | 'stop'> {
  readonly #parts: LiveParts
  readonly #definition: ServerDefinition
  readonly #connection: Connection
  readonly #commands: FileCommands
  readonly #isServed: (path: string) => boolean
  readonly #documents: ReturnType<typeof createDocuments>
  readonly #onDisk: Set<string>
  readonly #changed = new Map<string, 'made' | 'changed' | 'gone'>()
  /** Held open because of a question, the most recent last. */
  readonly #asked = new RecentMap<string, true>(MOST_ASKED)
  readonly #texts = new Map<string, { readonly stamp: string; readonly text: string | undefined }>()
  /** Changed since a server that reads only once has read them, or read by it while staged. */
  readonly #outdated = new Set<string>()
  /** Read again because of those. */
  readonly #reread = new Set<string>()
  /** The part of those that a newly started server would have to read again too. */
  #inherent: ReadonlySet<string> = new Set()
  /** Opened, but possibly not read yet. */
  readonly #unread = new Set<string>()
  readonly #including: ReturnType<typeof includingFiles>
  #projects: Projects = { samples: [], loose: [] }
  #heldFor = ''
  #leftOut = 0
  #seenVersion = -1
  #openedAt = 0
  #hasAnswered = false
  #staged: StagedTexts | undefined
  /** A question needs all files that include a changed one, not only its own file. */
  #isWhole = false
  readonly #said = pushedDiagnostics()

  constructor(parts: LiveParts, connection: Connection, commands: FileCommands, isServed: (path: string) => boolean) {
    const { definition, tree, places } = parts
    this.#parts = parts
    this.#definition = definition
    this.#connection = connection
    this.#commands = commands
    this.#isServed = isServed
    this.#documents = createDocuments(connection, places, {
      reopens: definition.readsOnce === true,
      changes: definition.opensQuietly === true,
    })
    this.#onDisk = new Set(tree.files().keys())
    this.#including = includingFiles(parts.readText, path => this.#stampOf(path))
    if (definition.pushesDiagnostics) connection.onNotice('textDocument/publishDiagnostics', this.#said.note)
    const unsubscribe = tree.onChange(({ put, gone }) => {
      for (const { path } of put) this.#changed.set(path, this.#onDisk.has(path) ? 'changed' : 'made')
      for (const path of gone) this.#changed.set(path, 'gone')
    })
    void connection.exit.then(unsubscribe)
  }

  unknown(): number {
    return Math.max(0, this.#projects.loose.length - MOST_LOOSE) + this.#leftOut
  }

  isReady(): boolean {
    return this.#hasAnswered && this.#connection.progress().underWay === 0
  }

  noteAnswer(): void {
    this.#hasAnswered = true
  }

  isOutdated(): boolean {
    return this.#definition.readsOnce === true && this.#grown() > MOST_CHANGED
  }

  async follow(next: StagedTexts, deadline: Deadline): Promise<void> {
    const { tree, readText } = this.#parts
    const { state } = await tree.settle()
    if (state === 'behind')
      await within(deadline, tree.caughtUp(), () => this.#late('had to wait for the list of files', deadline))
    await within(deadline, this.#connection.begun, () => this.#late('was still looking for its files', deadline))
    this.#tellChanges()
    // Questions about the same state run in parallel, so files that one of them opened stay open.
    if (this.#staged?.key !== next.key) this.#isWhole = false
    this.#staged = next
    this.#commands.update(this.#connection, [...this.#onDisk, ...next.texts.keys()].filter(this.#isServed))
    if (this.#definition.loadsByProject && this.#seenVersion !== tree.version()) {
      this.#projects = projectsOf(this.#onDisk, this.#isServed, readText)
      this.#seenVersion = tree.version()
    }
    this.#hold()
  }

  async ready(path: string, deadline: Deadline): Promise<void> {
    if (!this.#definition.opensQueriedFiles) return
    this.#asked.set(path, true)
    if (!this.#documents.isOpen(path) || !this.#isWhole) {
      if (!this.#documents.isOpen(path)) this.#openedAt = performance.now()
      this.#isWhole = true
      this.#hold()
    }
    await this.#indexed(deadline)
    await Promise.all([...this.#unread].map(each => this.#read(each, deadline)))
  }

  async opened(path: string): Promise<void> {
    this.#asked.set(path, true)
    // Opens all files of a question together.
    await Promise.resolve()
    if (!this.#documents.isOpen(path)) this.#hold()
  }

  async pushed(path: string, deadline: Deadline): Promise<readonly Diagnostic[]> {
    for (;;) {
      await this.opened(path)
      // It may have been reopened meanwhile, with another version.
      const latestDiagnostics = this.#said.of(this.#parts.places.uriOf(path), this.#documents.versionOf(path) ?? -1)
      if (latestDiagnostics) return latestDiagnostics
      const over = this.#connection.over()
      if (over) throw over
      await within(deadline, pause(PUSHED_MS), () => this.#late('had not sent the diagnostics of a file', deadline))
    }
  }

  /** The number of files that a restarted server would read again on its own. */
  #grown(): number {
    const all = new Set([...this.#outdated, ...this.#reread])
    return [...all].filter(path => !this.#inherent.has(path)).length + this.#changed.size
  }

  #tellChanges(): void {
    const changes = [...this.#changed].map(([path, type]) => ({ path, type }))
    const createdDirectories = this.#definition.looksOnceForDirectories ? newDirectories(changes, this.#onDisk) : []
    this.#changed.clear()
    for (const { path, type } of changes) {
      if (type === 'gone') this.#onDisk.delete(path)
      else this.#onDisk.add(path)
      if (this.#definition.readsOnce && this.#isServed(path)) this.#outdated.add(path)
    }
    this.#documents.tell([...changes, ...createdDirectories.map(path => ({ path, type: 'made' as const }))])
  }

  #hold(): void {
    const { samples, loose } = this.#projects
    const staging = this.#staged
    const documentTexts = new Map<string, string>()
    for (const path of [...samples, ...loose.slice(0, MOST_LOOSE), ...this.#asked.keys()]) {
      const text = this.#textOnDisk(path)
      if (text !== undefined) documentTexts.set(path, text)
    }
    for (const [path, text] of staging?.texts ?? []) {
      if (text === undefined) for (const deletedPath of this.#below(path)) documentTexts.set(deletedPath, '')
      else if (this.#isServed(path)) documentTexts.set(path, text)
    }
    if (this.#definition.readsOnce) this.#holdChanged(documentTexts)
    // Staged files first, because files that include them read them when they are opened.
    const isStaged = ([path]: readonly [string, string]) => staging?.texts.has(path) === true
    const openOrder = [...documentTexts].toSorted((one, other) => Number(isStaged(other)) - Number(isStaged(one)))
    for (const path of this.#documents.hold(new Map(openOrder))) if (this.#definition.readsOnce) this.#unread.add(path)
  }

  /** Files changed on disk or by staging, with all files that include them. */
  #holdChanged(wanted: Map<string, string>): void {
    const currentStaging = this.#staged
    for (const path of currentStaging?.texts.keys() ?? []) if (this.#isServed(path)) this.#outdated.add(path)
    const changes = [...this.#outdated]
    const servedFiles = [...this.#onDisk].filter(this.#isServed)
    const affectedFiles = changes.length > 0 ? this.#including(changes, servedFiles) : []
    const stagedPaths = changes.filter(path => currentStaging?.texts.has(path))
    this.#inherent = new Set([
      ...stagedPaths,
      ...(stagedPaths.length > 0 ? this.#including(stagedPaths, servedFiles) : []),
    ])
    // The server keeps the content of an open file after it is closed.
    for (const path of affectedFiles) this.#reread.add(path)
    const all = [...new Set([...this.#outdated, ...this.#reread])].filter(path => !wanted.has(path))
    this.#leftOut = Math.max(0, all.length - MOST_CHANGED)
    if (this.#isWhole) for (const path of all.slice(0, MOST_CHANGED)) wanted.set(path, this.#textOnDisk(path) ?? '')
    const key = JSON.stringify(changes.map(path => [path, wanted.get(path) ?? this.#textOnDisk(path)]))
    // An including file is read again only when it is reopened.
    if (key !== this.#heldFor) this.#documents.close(affectedFiles)
    this.#heldFor = key
  }

  /** Questions about a file wait until it has been read. */
  async #read(path: string, deadline: Deadline): Promise<void> {
    const textDocument = { uri: this.#parts.places.uriOf(path) }
    if (this.#documents.isOpen(path))
      await this.#connection.request('textDocument/documentSymbol', { textDocument }, z.unknown(), deadline)
    this.#unread.delete(path)
  }

  /** A server cannot be notified of a deletion while the file exists, so it is held open as empty. */
  #below(path: string): string[] {
    const isBelow = (file: string) => file === path || file.startsWith(`${path}/`)
    const isGone = (file: string) => this.#staged?.texts.get(file) === undefined
    return [...this.#onDisk].filter(file => isBelow(file) && this.#isServed(file) && isGone(file))
  }

  #stampOf(path: string): string | undefined {
    return this.#parts.tree.files().get(path)?.stamp
  }

  #textOnDisk(path: string): string | undefined {
    const stamp = this.#stampOf(path)
    const cachedText = this.#texts.get(path)
    if (cachedText && cachedText.stamp === stamp) return cachedText.text
    const text = this.#parts.readText(path)
    if (stamp !== undefined) this.#texts.set(path, { stamp, text })
    return text
  }

  /** Waits while the server reports indexing, and briefly for such a report to arrive. */
  async #indexed(deadline: Deadline): Promise<void> {
    const silentMs = this.#definition.readsOnce ? SILENT_BEFORE_INDEX_MS : SILENT_MS
    const isDone = () => {
      const { underWay, finished } = this.#connection.progress()
      return underWay === 0 && (finished > 0 || performance.now() - this.#openedAt > silentMs)
    }
    while (!isDone() && !this.#connection.over())
      await within(deadline, pause(LOOK_MS), () => this.#late('was still indexing', deadline))
  }

  #late(doing: string, deadline: Deadline) {
    return serverLate(this.#definition.name, { doing, progress: this.#connection.progress().words }, deadline)
  }
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
