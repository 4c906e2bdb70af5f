import { join } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { attempt } from '../../../machine/state/cache-database.ts'
import { makePrivateDirectory } from '../../../machine/state/private-file.ts'
import type { Indexer } from '../indexer.ts'
import { openSectionStore, type FoundSection, type SectionStore } from '../section-store.ts'
import { documentationFiles } from './list-files.ts'
import { fingerprintOf, listPackages } from './list-packages.ts'

/** The documentation of the packages in a workspace, indexed on first use and after each change of them. */
export interface InstalledDocumentation {
  /** Brings the index up to date in the background; resolves when it is. */
  refresh(): Promise<void>
  /** How far indexing is; undefined if nothing is being indexed. */
  progress(): { readonly done: number; readonly of: number } | undefined
  /** Reports whether no package is known. */
  isEmpty(): boolean
  search(query: Parameters<SectionStore['search']>[0]): readonly FoundSection[]
  close(): void
}

function unindexed(cause: unknown): never {
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
  const opened = (): SectionStore => {
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
        .catch(unindexed)
        .finally(() => (running = state = undefined))),
    progress: () => state,
    isEmpty: () => opened().packages().size === 0,
    search: query => opened().search(query),
    close: () => store?.close(),
  }

  async function update(): Promise<void> {
    const known = opened()
    const fingerprint = await fingerprintOf(root)
    if (known.fingerprint() === fingerprint) return
    const packages = await listPackages(root)
    const stored = known.packages()
    const keys = new Set(packages.map(({ key }) => key))
    known.remove([...stored.keys()].filter(key => !keys.has(key)))
    const changed = packages.filter(({ key, stamp }) => stored.get(key) !== stamp)
    state = { done: 0, of: changed.length }
    for (const each of changed) {
      const files = (await documentationFiles(root, each)).filter(({ path }) => !isDenied(path))
      // What cannot be read is known to be so until the package changes.
      await indexer.index({ kind: 'files', store: file, package: each, root, files }).catch(async () => {
        await indexer.index({ kind: 'files', store: file, package: each, root, files: [] })
      })
      state = { done: state.done + 1, of: state.of }
    }
    known.noteFingerprint(fingerprint)
  }
}
