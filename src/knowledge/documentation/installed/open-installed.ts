import { join } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { attempt } from '../../../machine/state/cache-database.ts'
import { makePrivateDirectory } from '../../../machine/state/private-file.ts'
import type { Indexed, Indexer } from '../indexer.ts'
import { openSectionStore, type FoundSection, type SectionStore } from '../section-store.ts'
import type { UnfinishedPackage } from '../section-types.ts'
import type { InstalledPackage } from '../../../languages/installed-packages.ts'
import { documentationFiles, fingerprintOf, listPackages } from './list-packages.ts'

interface IndexProgress {
  readonly done: number
  readonly of: number
  /** Packages of which a part is indexed, and how many of their files. */
  readonly begun: readonly { readonly name: string; readonly file: number; readonly files: number }[]
}

/** The time that each package gets before the next one; the rest of a large one follows when all others are done. */
const FIRST_SLICE_MS = 150
/** The time of one that was begun before: there is little else left to do. */
const NEXT_SLICE_MS = 600
const LONGEST_SLICE_MS = 5_000

/** The documentation of the packages in a workspace, indexed on first use and after each change of them. */
export interface InstalledDocumentation {
  /** Brings the index up to date in the background; resolves when it is. */
  refresh(): Promise<void>
  /** How far indexing is; undefined if every package is indexed. */
  progress(): IndexProgress | undefined
  /** The names of all packages; undefined until they are listed. */
  names(): readonly string[] | undefined
  search(query: Parameters<SectionStore['search']>[0]): readonly FoundSection[]
  close(): void
}

function failToIndex(cause: unknown): never {
  if (cause instanceof ToolError) throw cause
  throw new ToolError('unavailable', 'Installed documentation could not be indexed', { hint: 'Ask again', cause })
}

interface InstalledParts {
  /** The real path of the workspace. */
  readonly root: string
  /** A directory of ours. */
  readonly directory: string
  readonly indexer: Indexer
  /** Reports whether a rule denies reading a path, so that nothing of it may be stored. */
  readonly isDenied: (path: string) => boolean
}

export function openInstalled({ root, directory, indexer, isDenied }: InstalledParts): InstalledDocumentation {
  const file = join(directory, 'installed.sqlite')
  let store: SectionStore | undefined
  let running: Promise<void> | undefined
  let state: { done: number; of: number } | undefined
  let names: (() => readonly string[]) | undefined
  const openStore = (): SectionStore => {
    attempt(() => makePrivateDirectory(directory))
    store ??= openSectionStore(file)
    if (store) return store
    throw new ToolError('unavailable', 'The index of installed documentation cannot be opened', {
      hint: 'See that the state directory is writable and the disk is not full',
    })
  }
  return {
    refresh: () =>
      (running ??= update()
        .catch(failToIndex)
        .finally(() => (running = undefined))),
    progress: () => state && { ...state, begun: openStore().unfinished().flatMap(begunOf) },
    names: () => names?.(),
    search: query => openStore().search(query),
    close: () => store?.close(),
  }

  async function update(): Promise<void> {
    const sectionStore = openStore()
    const fingerprint = await fingerprintOf(root)
    if (sectionStore.fingerprint() === fingerprint) {
      state = undefined
      names = () => sectionStore.names()
      return
    }
    const packages = await packagesAt(sectionStore, fingerprint)
    names = () => packages.map(({ name }) => name)
    const storedPackages = sectionStore.packages()
    const keys = new Set(packages.map(({ key }) => key))
    sectionStore.remove([...storedPackages.keys()].filter(key => !keys.has(key)))
    const unfinishedByKey = new Map(sectionStore.unfinished().map(each => [`${each.key} ${each.stamp}`, each]))
    const restOf = ({ key, stamp }: InstalledPackage): number => orderOf(unfinishedByKey.get(`${key} ${stamp}`))
    let rest = packages
      .filter(({ key, stamp }) => storedPackages.get(key) !== stamp)
      .toSorted((one, other) => restOf(one) - restOf(other))
    const progress = { done: packages.length - rest.length, of: packages.length }
    state = progress
    let isWhole = true
    for (let sliceMs = FIRST_SLICE_MS; rest.length > 0; sliceMs = Math.min(2 * sliceMs, LONGEST_SLICE_MS)) {
      const later: InstalledPackage[] = []
      for (const each of rest) {
        const result = await indexPackage(
          sectionStore,
          each,
          restOf(each) > 0 ? Math.max(sliceMs, NEXT_SLICE_MS) : sliceMs,
        )
        if (result === 'more') later.push(each)
        if (result === 'done') progress.done += 1
        if (result === 'elsewhere') isWhole = false
      }
      rest = later
    }
    if (!isWhole) return
    sectionStore.noteFingerprint(fingerprint)
    state = undefined
  }

  async function indexPackage(known: SectionStore, each: InstalledPackage, sliceMs: number): Promise<Indexed> {
    known.begin(each)
    const files = (await documentationFiles(root, each)).filter(({ path }) => !isDenied(path))
    // What cannot be read is known to be so until the package changes.
    return indexer
      .index({ kind: 'files', store: file, package: each, root, files, sliceMs })
      .catch(() => indexer.index({ kind: 'finish', store: file, package: each }))
  }

  /** Listing takes most of the time of a short process, so the list is kept. */
  async function packagesAt(known: SectionStore, fingerprint: string): Promise<readonly InstalledPackage[]> {
    const listing = known.listing(fingerprint)
    if (Array.isArray(listing)) return listing
    const packages = await listPackages(root)
    known.noteListing(fingerprint, packages)
    return packages
  }
}

const begunOf = ({ name, file, files }: UnfinishedPackage): IndexProgress['begun'] =>
  files === undefined ? [] : [{ name, file, files }]

/**
 * Returns the place of a package in the order. One whose time did not suffice comes after all that were not begun, so that
 * it cannot keep them waiting for ever: that with the fewest files left first, unless it was begun twice without progress.
 */
const orderOf = (begun: UnfinishedPackage | undefined): number =>
  begun ? 1 + Math.floor(begun.tries / 2) * 100_000 + ((begun.files ?? 0) - begun.file) : 0
