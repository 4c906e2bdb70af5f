import { join } from 'node:path'
import type { WorkspaceState } from '../../machine/state/directory.ts'
import type { Root } from '../../machine/workspace/root.ts'
import type { IndexSettings } from './index-settings.ts'
import type { Glance, RepositoryIndex } from './repository-index.ts'
import type { UserPlaces } from '../tree/ignore/user-places.ts'
import type { Sight } from './table/answer.ts'

/** The index of a workspace, opened with the first question that needs all of it. */
export interface IndexSource {
  open(): Promise<RepositoryIndex>
  /** Undefined where nobody has opened it. */
  opened(): RepositoryIndex | undefined
  /** What an index that is there knows of a file at once; opens none, and costs nothing where there is none. */
  glance(path: string, sight?: Sight): Promise<Glance | undefined> | undefined
  close(): Promise<void>
}

/** An index of this process's own. */
export function ownIndex(
  root: Root,
  state: Pick<WorkspaceState, 'path'>,
  rules: Pick<IndexSettings, 'leaveOut' | 'isDenied'>,
  user?: UserPlaces,
): IndexSource {
  let opening: Promise<RepositoryIndex> | undefined
  let index: RepositoryIndex | undefined
  let closing: (() => Promise<void>) | undefined
  let isClosed = false
  return {
    open: () => (opening ??= start()),
    opened: () => index,
    glance: (path, sight) => index?.glance(path, sight),
    async close() {
      isClosed = true
      await opening
      await closing?.()
      index = undefined
    },
  }

  async function start(): Promise<RepositoryIndex> {
    const [{ openTree }, { openRepositoryIndex }] = await Promise.all([
      import('../tree/open-tree.ts'),
      import('./repository-index.ts'),
    ])
    const tree = openTree(root, { user })
    const made = openRepositoryIndex({
      tree,
      directory: root.path,
      cacheDirectory: join(state.path, 'index'),
      ...rules,
    })
    closing = async () => {
      await made.close()
      tree.close()
    }
    if (!isClosed) index = made
    return made
  }
}
