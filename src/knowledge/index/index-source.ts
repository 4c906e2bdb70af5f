import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownProgram } from '../../machine/own-program.ts'
import { deniedVersion } from '../../machine/state/denied-places.ts'
import type { WorkspaceState } from '../../machine/state/directory.ts'
import type { Root } from '../../machine/workspace/root.ts'
import type { IndexSettings } from './index-settings.ts'
import type { AroundQuestion, FileQuestion, Glance, OpenRepositoryIndex, RepositoryIndex } from './repository-index.ts'
import { userPlaces, type UserPlaces } from '../tree/ignore/user-places.ts'
import type { DiskTree } from '../tree/open-tree.ts'
import type { StoredPlace } from './stored/stored-place.ts'
import type { FileTable } from './table/file-table.ts'

/** The index of a workspace, opened with the first request that needs all of it. */
export interface IndexSource {
  open(): Promise<RepositoryIndex>
  /** Returns undefined if it is not open. */
  opened(): RepositoryIndex | undefined
  /** Returns what an open index knows of a file now. Never opens one; free if there is none. */
  glance(question: FileQuestion): Promise<Glance | undefined> | undefined
  /** The same for the symbols around places. */
  around(question: AroundQuestion): Promise<readonly (string | undefined)[]> | undefined
  close(): Promise<void>
}

export interface OwnRules extends Pick<IndexSettings, 'leaveOut' | 'isDenied'> {
  /** Same as `leaveOut`, as patterns. */
  readonly foreign?: readonly string[]
  /** This program ends soon. Use the stored index of an earlier one if nothing changed. */
  readonly isBrief?: boolean
}

/** Opens an index in this process. */
export function ownIndex(
  root: Root,
  state: Pick<WorkspaceState, 'path'>,
  { foreign = [], isBrief = false, ...rules }: OwnRules,
  user: UserPlaces = userPlaces(),
): IndexSource {
  const cacheDirectory = join(state.path, 'index')
  const place: StoredPlace = {
    file: join(cacheDirectory, 'whole'),
    key: () => hash('sha256', `${readFileSync(ownProgram('resident'), 'latin1')}\0${foreign.join('\0')}`),
    state: state.path,
    denied: isBrief ? deniedVersion(state.path) : '',
  }
  let brief: Promise<OpenRepositoryIndex> | undefined
  let opening: Promise<RepositoryIndex> | undefined
  let index: RepositoryIndex | undefined
  let closing: (() => Promise<void>) | undefined
  let isClosed = false
  const full = () => (opening ??= start())
  return {
    open: () => (isBrief && index === undefined ? (brief ??= openStored()) : full()),
    opened: () => index,
    glance: question => index?.glance(question),
    around: question => index?.around(question),
    async close() {
      isClosed = true
      await (await brief)?.close()
      await opening
      await closing?.()
      index = undefined
    },
  }

  async function openStored(): Promise<OpenRepositoryIndex> {
    const { storedIndex } = await import('./stored/stored-index.ts')
    return storedIndex({ root, user, place, full })
  }

  async function start(): Promise<RepositoryIndex> {
    const [{ openTree }, { openRepositoryIndex }] = await Promise.all([
      import('../tree/open-tree.ts'),
      import('./open-repository-index.ts'),
    ])
    const tree = openTree(root, { user })
    const newIndex = openRepositoryIndex({
      tree,
      directory: root.path,
      cacheDirectory,
      ...rules,
      ...(isBrief && { keep: table => keep(tree, table) }),
    })
    closing = async () => {
      await newIndex.close()
      tree.close()
    }
    if (!isClosed) index = newIndex
    return newIndex
  }

  async function keep(tree: DiskTree, table: FileTable): Promise<void> {
    const image = tree.image(rules.leaveOut ?? (() => false))
    if (!image?.isSure) return
    const { saveIndex } = await import('./stored/save-index.ts')
    saveIndex(place, { tree: image, table, isUnkept: rules.isDenied ?? (() => false) })
  }
}
