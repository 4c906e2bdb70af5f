import { hash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { extensionOf, LANGUAGES } from '../../../languages/registry.ts'
import { isSettings, isCompilerSettings } from '../../../languages/javascript/modules/module-settings.ts'
import type { Tree } from '../../tree/tree.ts'
import type { ConfigFile } from '../../../languages/javascript/modules/module-finder.ts'
import { within, type Deadline } from '../servers/deadline.ts'
import { serverLate } from '../servers/server-error.ts'
import { moduleFacts, type ModuleFacts } from './module-facts.ts'
import { moduleLinks, type Links } from './module-links.ts'
import type { Overlay } from './types.ts'
import { snapshotOf, type ProjectSnapshot, type SnapshotFile } from './project-snapshot.ts'

/** The imports among the files of one server, updated as they change. */
export interface ImportGraph {
  /** Reads what has changed on disk. */
  follow(deadline: Deadline): Promise<void>
  /** Increases when `follow` found other contents. */
  version(): number
  /** The files with these texts over the disk. */
  snapshot(overlay: Overlay): ProjectSnapshot
  hasFiles(): boolean
  /** Reports whether an import or a setting may refer to a file of this name: its last part matches. */
  names(name: string): boolean
}

interface GraphParts {
  readonly server: { readonly name: string; readonly extensions: readonly string[] }
  readonly tree: Tree
  readText(path: string): string | undefined
}

/** The longest that this blocks the event loop. */
const SLICE_MS = 8

const PROJECT_FILES = LANGUAGES.flatMap(({ server }) => server?.projectFiles ?? [])
/** Installed packages are not judged. */
const INSTALLED = /(?:^|\/)node_modules\//

export function importGraph({ server, tree, readText }: GraphParts): ImportGraph {
  const isMine = (path: string) => server.extensions.includes(extensionOf(path)) && !INSTALLED.test(path)
  const isConfig = (path: string) => PROJECT_FILES.some(each => each.test(path)) && !INSTALLED.test(path)
  const stamps = new Map<string, string>()
  const facts = new Map<string, ModuleFacts>()
  const configs = new Map<string, string>()
  let lastVersion = -1
  let version = 0
  /** Links of the files on disk; dropped when those change. */
  let links: Links | undefined
  let files: Map<string, SnapshotFile> | undefined
  let onDisk: ProjectSnapshot | undefined
  let following: Promise<void> = Promise.resolve()
  const linksOnDisk = (): Links => (links ??= moduleLinks(facts, configFiles(configs)))
  const snapshotOnDisk = (): ProjectSnapshot => (onDisk ??= snapshotOf(new Map(filesOnDisk()), configHash(configs)))

  return {
    version: () => version,
    hasFiles: () => facts.size > 0,
    names: name => isNamed(name, facts, configs),
    async follow(deadline) {
      const catchingUp = following.then(() => catchUp(deadline))
      following = catchingUp.catch(() => {})
      await catchingUp
    },
    snapshot(overlay) {
      const changes = overFacts(overlay, facts, isMine)
      if (changes.size === 0) return snapshotOnDisk()
      const isSameSet = [...changes].every(([path, given]) => facts.has(path) === (given !== undefined))
      if (isSameSet) {
        const over = new Map<string, SnapshotFile>()
        for (const [path, newFacts] of changes) if (newFacts) over.set(path, linkFile(path, newFacts, linksOnDisk()))
        return snapshotOnDisk().with(over) ?? snapshotOf(new Map([...filesOnDisk(), ...over]), configHash(configs))
      }
      return rebuilt(facts, changes, configs)
    },
  }

  async function catchUp(deadline: Deadline): Promise<void> {
    const late = () => serverLate(server.name, { doing: 'had to wait for the list of files' }, deadline)
    const { state } = await tree.settle()
    if (state === 'behind') await within(deadline, tree.caughtUp(), late)
    if (tree.version() === lastVersion) return
    const now = tree.version()
    const treeFiles = tree.files()
    let since = performance.now()
    for (const path of stamps.keys()) if (!treeFiles.has(path)) forget(path)
    for (const [path, { stamp }] of Array.from(treeFiles)) {
      if (stamps.get(path) === stamp) continue
      const concerns = isMine(path) || isConfig(path)
      if (concerns) note(path, readText(path))
      // Of the others too: looking at their names again costs more than remembering.
      stamps.set(path, stamp)
      if (!concerns) continue
      if (performance.now() - since < SLICE_MS) continue
      await breathe()
      deadline.signal?.throwIfAborted()
      since = performance.now()
    }
    lastVersion = now
  }

  function note(path: string, text: string | undefined): void {
    if (isConfig(path)) {
      if (configs.get(path) !== text) another()
      configs.set(path, text ?? '')
    }
    if (!isMine(path)) return
    const before = facts.get(path)
    const newFacts = text === undefined ? undefined : moduleFacts(path, text)
    if (before?.hash === newFacts?.hash) return
    if (newFacts) facts.set(path, newFacts)
    else facts.delete(path)
    if (!before || !newFacts) return another()
    version++
    if (!files || !links) return
    const file = linkFile(path, newFacts, links)
    files.set(path, file)
    onDisk = onDisk?.with(new Map([[path, file]]))
  }

  function forget(path: string): void {
    stamps.delete(path)
    if ([facts.delete(path), configs.delete(path)].some(Boolean)) another()
  }

  /** Invalidates the links: files came or went, or imports resolve differently. */
  function another(): void {
    version++
    onDisk = undefined
    links = undefined
    files = undefined
  }

  function filesOnDisk(): Map<string, SnapshotFile> {
    const lookUp = linksOnDisk()
    return (files ??= new Map([...facts].map(([path, given]) => [path, linkFile(path, given, lookUp)])))
  }
}

function isNamed(name: string, facts: ReadonlyMap<string, ModuleFacts>, configs: ReadonlyMap<string, string>): boolean {
  const isMeant = (said: string) => said === name || said.endsWith(`/${name}`)
  const stem = name.replace(/\.json$/, '')
  const nameSpellings = [`"${stem}"`, `/${stem}"`, `"${name}"`, `/${name}"`]
  return (
    [...facts.values()].some(({ requests }) => requests.some(isMeant)) ||
    configFiles(configs).some(
      ({ path, text }) => isCompilerSettings(path) && nameSpellings.some(each => text.includes(each)),
    )
  )
}

/** Rebuilds the links after files came or went: any import may resolve to another file. */
function rebuilt(
  facts: ReadonlyMap<string, ModuleFacts>,
  changes: ReadonlyMap<string, ModuleFacts | undefined>,
  configs: ReadonlyMap<string, string>,
): ProjectSnapshot {
  const present = new Map(facts)
  for (const [path, newFacts] of changes) {
    if (newFacts) present.set(path, newFacts)
    else present.delete(path)
  }
  const lookUp = moduleLinks(present, configFiles(configs))
  return snapshotOf(
    new Map([...present].map(([path, given]) => [path, linkFile(path, given, lookUp)])),
    configHash(configs),
  )
}

/** Facts of the texts in an overlay that differ from the disk; undefined for a removed file. */
function overFacts(
  overlay: Overlay,
  facts: ReadonlyMap<string, ModuleFacts>,
  isMine: (path: string) => boolean,
): Map<string, ModuleFacts | undefined> {
  const changes = new Map<string, ModuleFacts | undefined>()
  for (const [path, text] of Object.entries(overlay)) {
    if (text === null) {
      for (const below of facts.keys())
        if (below === path || below.startsWith(`${path}/`)) changes.set(below, undefined)
      continue
    }
    if (!isMine(path)) continue
    const newFacts = moduleFacts(path, text)
    if (facts.get(path)?.hash !== newFacts.hash) changes.set(path, newFacts)
  }
  // A file below a removed path may have been created again.
  for (const [path, text] of Object.entries(overlay))
    if (text !== null && changes.get(path) === undefined) changes.delete(path)
  return changes
}

function configFiles(configs: ReadonlyMap<string, string>): ConfigFile[] {
  return [...configs].filter(([path]) => isSettings(path)).map(([path, text]) => ({ path, text }))
}

function configHash(configs: ReadonlyMap<string, string>): string {
  return hash('sha256', JSON.stringify([...configs].toSorted()))
}

function linkFile(path: string, facts: ModuleFacts, links: Links): SnapshotFile {
  const linkedRequests = facts.requests.map(request => ({ request, ...links(path, request) }))
  const imports = [...new Set(linkedRequests.flatMap(({ to }) => to))].filter(each => each !== path)
  const buildImports = linkedRequests.flatMap(({ request, to, isBuilt }) =>
    isBuilt ? to.map(each => ({ path: each, request })) : [],
  )
  return { facts, imports, ...(buildImports.length > 0 && { built: buildImports }) }
}
