import { onceLoaded } from '../../kernel/once.ts'
import { ownIndex, type IndexSource } from '../index/index-source.ts'
import { userPlaces, type UserPlaces } from '../tree/ignore/user-places.ts'
import type { IndexedSearch } from '../search/indexed-search.ts'
import type { CodeKnowledge, CodeParts } from './code-knowledge.ts'
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
  /** Loaded when it is first wanted: a question to the index does without. */
  code(): Promise<CodeKnowledge>
  /** Where the user's own ignore rules are, which hold for all of it. */
  readonly user: UserPlaces
  close(): Promise<void>
}

export interface KnowledgeParts extends CodeParts {
  readonly use: ResidentUse
  readonly settings: Pick<ResidentSettings, 'idleMs' | 'memoryBytes'>
  /** Files of the workspace that are none of the repository's own. */
  readonly isForeign: (path: string) => boolean
  /** The same as patterns. */
  readonly foreign: readonly string[]
  /** Files that a rule denies: nothing of what they say is kept on disk. */
  readonly isDenied: (path: string) => boolean
}

/** Nothing is opened or started before somebody asks. */
export function openKnowledge(parts: KnowledgeParts): Knowledge {
  const { root, state, env, use, settings, isForeign, foreign, isDenied, isBrief } = parts
  const told = { root: root.path, key: state.key, ...settings }
  const resident = openResident({ use, state: state.path, env, settings: told })
  const user = userPlaces(env)
  const own = ownIndex(root, state, { leaveOut: isForeign, foreign, isDenied, isBrief }, user)
  let isCodeOpen = false
  const code = onceLoaded(async () => {
    isCodeOpen = true
    return (await import('./code-knowledge.ts')).codeKnowledge(resident, parts)
  })
  return {
    index: residentIndex(resident, own),
    ownIndex: own,
    search: residentSearch(resident),
    code,
    user,
    async close() {
      resident.close()
      await Promise.all([own.close(), isCodeOpen ? code().then(each => each.close()) : undefined])
    },
  }
}
