import { ownIndex, type IndexSource } from '../index/index-source.ts'
import type { IndexedSearch } from '../search/indexed-search.ts'
import type { Environment, WorkspaceState } from '../state/directory.ts'
import type { Root } from '../workspace/root.ts'
import { openResident, type ResidentUse } from './open-resident.ts'
import { residentIndex } from './resident-index.ts'
import { residentSearch } from './resident-search.ts'
import type { ResidentSettings } from './settings.ts'

/** What one program knows of a workspace without reading its files: by the process that holds it, or by itself. */
export interface Knowledge {
  readonly index: IndexSource
  /** Of this program alone, whatever process there is. */
  readonly ownIndex: IndexSource
  /** For one call. */
  search(): IndexedSearch
  close(): Promise<void>
}

export interface KnowledgeParts {
  readonly root: Root
  readonly state: WorkspaceState
  readonly env: Environment
  readonly use: ResidentUse
  readonly settings: Pick<ResidentSettings, 'idleMs' | 'memoryBytes'>
  /** Files of the workspace that are none of the repository's own. */
  readonly isForeign: (path: string) => boolean
}

/** Nothing is opened or started before somebody asks. */
export function openKnowledge({ root, state, env, use, settings, isForeign }: KnowledgeParts): Knowledge {
  const told = { root: root.path, key: state.key, ...settings }
  const resident = openResident({ use, state: state.path, env, settings: told })
  const own = ownIndex(root, state, isForeign)
  return {
    index: residentIndex(resident, own),
    ownIndex: own,
    search: residentSearch(resident),
    async close() {
      resident.close()
      await own.close()
    },
  }
}
