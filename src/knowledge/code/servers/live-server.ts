import { z } from 'zod'
import { RecentMap } from '../../../kernel/recent-map.ts'
import type { Tree } from '../../tree/tree.ts'
import type { Started } from '../../../machine/process/sandbox/types.ts'
import { openConnection, type Connection } from './connection.ts'
import { deadlineIn, within, type Deadline } from './deadline.ts'
import type { ServerDefinition } from './definition.ts'
import { createDocuments, extensionOf } from './documents.ts'
import { newDirectories } from './new-directories.ts'
import { fileCommands } from './file-commands.ts'
import { includingFiles } from './including-files.ts'
import { ANSWERS, CAPABILITIES, type Diagnostic } from './lsp-schemas.ts'
import { projectsOf, type Projects } from './projects.ts'
import { pushedDiagnostics } from './pushed-diagnostics.ts'
import { serverLate } from './server-error.ts'
import type { ServerPlaces } from './server-places.ts'
import type { StagedTexts } from './staged-texts.ts'

/** A server that has been started and follows the workspace. */
export interface LiveServer {
  readonly connection: Connection
  readonly capabilities: Readonly<Record<string, unknown>>
  /** Files that are too many to be opened, though it would have to be told of them. */
  unknown(): number
  /** So much has changed since it read everything that it had better read it again. */
  isOutdated(): boolean
  /** Tells it everything that has changed, on disk and in what is staged. */
  follow(staged: StagedTexts, deadline: Deadline): Promise<void>
  /** Before a question about a file: opened where the server wants that, and everything read that it reads by itself. */
  ready(path: string, deadline: Deadline): Promise<void>
  /** Opens a file that the server says nothing of otherwise. */
  opened(path: string): Promise<void>
  /** What it says of a file unasked once that is open as it is now. */
  pushed(path: string, deadline: Deadline): Promise<readonly Diagnostic[]>
  stop(why: string): void
}

export interface LiveParts {
  readonly definition: ServerDefinition
  readonly started: Started
  readonly tree: Tree
  readonly root: string
  readonly places: ServerPlaces
  readonly initializeMs: number
  readonly floodBytes: number
  readText(path: string): string | undefined
}

/** Open documents are held in memory, here and there. */
const MOST_LOOSE = 2_000
const MOST_ASKED = 100
const MOST_CHANGED = 300
/** A server that indexes says so by then. */
const SILENT_MS = 400
/** One that always does is given longer: a busy machine is slow. */
const SILENT_BEFORE_INDEX_MS = 20_000
const LOOK_MS = 15
const PUSHED_MS = 5

/** Introduces itself to a server that was started; throws where it does not answer. */
export async function liveServer(parts: LiveParts): Promise<LiveServer> {
  const { definition, tree, places } = parts
  const folder = { uri: places.uriOf('').replace(/\/$/, ''), name: 'workspace' }
  const { settings = {} } = definition
  const connection = await openConnection(parts.started, {
    name: definition.name,
    settings,
    folder,
    floodBytes: parts.floodBytes,
    begins: definition.begins,
    oneAtATime: definition.oneAtATime ?? [],
  })
  const isServed = (path: string) => definition.extensions.includes(extensionOf(path))
  const commands = fileCommands(definition, parts.root)
  const { capabilities } = await greeted()
  const documents = createDocuments(connection, places, {
    reopens: definition.readsOnce === true,
    changes: definition.opensQuietly === true,
  })
  const onDisk = new Set(tree.files().keys())
  const changed = new Map<string, 'made' | 'changed' | 'gone'>()
  /** Held open because somebody asked about them, the last asked last. */
  const asked = new RecentMap<string, true>(MOST_ASKED)
  const texts = new Map<string, { readonly stamp: string; readonly text: string | undefined }>()
  /** Changed since a server that reads once has read them, or read by it as they were staged. */
  const outdated = new Set<string>()
  /** Read by it again because of those. */
  const reread = new Set<string>()
  /** Of those what would have to be read again by a server that has just been started too. */
  let inherent: ReadonlySet<string> = new Set()
  /** Opened, and perhaps not read yet. */
  const unread = new Set<string>()
  const stampOf = (path: string) => tree.files().get(path)?.stamp
  const including = includingFiles(parts.readText, stampOf)
  let projects: Projects = { samples: [], loose: [] }
  let heldFor = ''
  let leftOut = 0
  let seenVersion = -1
  let openedAt = 0
  let staged: StagedTexts | undefined
  /** A question needs whatever includes what was changed, not only the file that it is about. */
  let isWhole = false
  const said = pushedDiagnostics()
  if (definition.pushesFaults) connection.onNotice('textDocument/publishDiagnostics', said.note)
  const unsubscribe = tree.onChange(({ put, gone }) => {
    for (const { path } of put) changed.set(path, onDisk.has(path) ? 'changed' : 'made')
    for (const path of gone) changed.set(path, 'gone')
  })
  void connection.exit.then(unsubscribe)
  return {
    connection,
    capabilities,
    unknown: () => Math.max(0, projects.loose.length - MOST_LOOSE) + leftOut,
    isOutdated: () => definition.readsOnce === true && grown() > MOST_CHANGED,
    async follow(next, deadline) {
      const { state } = await tree.settle()
      if (state === 'behind')
        await within(deadline, tree.caughtUp(), () => late('had to wait for the list of files', deadline))
      await within(deadline, connection.begun, () => late('was still looking for its files', deadline))
      tellChanges()
      // Those who see the same ask side by side: what one of them has opened stays so.
      if (staged?.key !== next.key) isWhole = false
      staged = next
      commands.update(connection, [...onDisk, ...next.texts.keys()].filter(isServed))
      if (definition.loadsByProject && seenVersion !== tree.version()) {
        projects = projectsOf(onDisk, isServed, parts.readText)
        seenVersion = tree.version()
      }
      hold()
    },
    async ready(path, deadline) {
      if (!definition.opensWhatIsAsked) return
      asked.set(path, true)
      if (!documents.isOpen(path) || !isWhole) {
        if (!documents.isOpen(path)) openedAt = performance.now()
        isWhole = true
        hold()
      }
      await indexed(deadline)
      await Promise.all([...unread].map(each => read(each, deadline)))
    },
    opened,
    async pushed(path, deadline) {
      for (;;) {
        await opened(path)
        // It may be opened anew meanwhile, with another version.
        const found = said.of(places.uriOf(path), documents.versionOf(path) ?? -1)
        if (found) return found
        const over = connection.over()
        if (over) throw over
        await within(deadline, pause(PUSHED_MS), () => late('had not said what is wrong with a file', deadline))
      }
    },
    stop: why => connection.end(why),
  }

  async function opened(path: string): Promise<void> {
    asked.set(path, true)
    // Whoever asks about several at once has them opened at once.
    await Promise.resolve()
    if (!documents.isOpen(path)) hold()
  }

  /** How many files it would read again by itself if it were started anew. */
  function grown(): number {
    const all = new Set([...outdated, ...reread])
    return [...all].filter(path => !inherent.has(path)).length + changed.size
  }

  async function greeted() {
    try {
      const given = await connection.request(
        'initialize',
        {
          processId: null,
          rootPath: parts.root,
          rootUri: folder.uri,
          workspaceFolders: [folder],
          capabilities: CAPABILITIES,
          initializationOptions:
            commands.initial([...tree.files().keys()].filter(isServed)) ?? definition.initializationOptions ?? {},
        },
        ANSWERS.initialize,
        deadlineIn(parts.initializeMs),
      )
      connection.notify('initialized', {})
      return given
    } catch (error) {
      connection.end(`did not answer within ${parts.initializeMs / 1000} s of its start`)
      throw error
    }
  }

  function tellChanges(): void {
    const changes = [...changed].map(([path, type]) => ({ path, type }))
    const made = definition.looksOnceForDirectories ? newDirectories(changes, onDisk) : []
    changed.clear()
    for (const { path, type } of changes) {
      if (type === 'gone') onDisk.delete(path)
      else onDisk.add(path)
      if (definition.readsOnce && isServed(path)) outdated.add(path)
    }
    documents.tell([...changes, ...made.map(path => ({ path, type: 'made' as const }))])
  }

  function hold(): void {
    const wanted = new Map<string, string>()
    for (const path of [...projects.samples, ...projects.loose.slice(0, MOST_LOOSE), ...asked.keys()]) {
      const text = textOnDisk(path)
      if (text !== undefined) wanted.set(path, text)
    }
    for (const [path, text] of staged?.texts ?? []) {
      if (text === undefined) for (const gone of below(path)) wanted.set(gone, '')
      else if (isServed(path)) wanted.set(path, text)
    }
    if (definition.readsOnce) holdChanged(wanted)
    // What is staged first: whoever includes it reads it when it is opened itself.
    const isStaged = ([path]: readonly [string, string]) => staged?.texts.has(path) === true
    const ordered = [...wanted].toSorted((one, other) => Number(isStaged(other)) - Number(isStaged(one)))
    for (const path of documents.hold(new Map(ordered))) if (definition.readsOnce) unread.add(path)
  }

  /** What has changed, on disk or by what is staged, with whatever includes it. */
  function holdChanged(wanted: Map<string, string>): void {
    for (const path of staged?.texts.keys() ?? []) if (isServed(path)) outdated.add(path)
    const changes = [...outdated]
    const served = [...onDisk].filter(isServed)
    const affected = changes.length > 0 ? including(changes, served) : []
    const own = changes.filter(path => staged?.texts.has(path))
    inherent = new Set([...own, ...(own.length > 0 ? including(own, served) : [])])
    // What it has read of a file that was open stays with it when that is closed.
    for (const path of affected) reread.add(path)
    const all = [...new Set([...outdated, ...reread])].filter(path => !wanted.has(path))
    leftOut = Math.max(0, all.length - MOST_CHANGED)
    if (isWhole) for (const path of all.slice(0, MOST_CHANGED)) wanted.set(path, textOnDisk(path) ?? '')
    const key = JSON.stringify(changes.map(path => [path, wanted.get(path) ?? textOnDisk(path)]))
    // What includes something is read again only when it is opened again.
    if (key !== heldFor) documents.close(affected)
    heldFor = key
  }

  /** A question about a file is answered when it has been read. */
  async function read(path: string, deadline: Deadline): Promise<void> {
    const textDocument = { uri: places.uriOf(path) }
    if (documents.isOpen(path))
      await connection.request('textDocument/documentSymbol', { textDocument }, z.unknown(), deadline)
    unread.delete(path)
  }

  /** Nobody can be told that a file is gone while it is there: it is held empty. */
  function below(path: string): string[] {
    const isBelow = (file: string) => file === path || file.startsWith(`${path}/`)
    return [...onDisk].filter(file => isBelow(file) && isServed(file) && staged?.texts.get(file) === undefined)
  }

  function textOnDisk(path: string): string | undefined {
    const stamp = stampOf(path)
    const known = texts.get(path)
    if (known && known.stamp === stamp) return known.text
    const text = parts.readText(path)
    if (stamp !== undefined) texts.set(path, { stamp, text })
    return text
  }

  /** Waits while it says that it indexes, and a moment for it to say so. */
  async function indexed(deadline: Deadline): Promise<void> {
    const silentMs = definition.readsOnce ? SILENT_BEFORE_INDEX_MS : SILENT_MS
    const isDone = () => {
      const { underWay, finished } = connection.progress()
      return underWay === 0 && (finished > 0 || performance.now() - openedAt > silentMs)
    }
    while (!isDone() && !connection.over())
      await within(deadline, pause(LOOK_MS), () => late('was still indexing', deadline))
  }

  function late(doing: string, deadline: Deadline) {
    return serverLate(definition.name, { doing, progress: connection.progress().words }, deadline)
  }
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
