import { onceLoaded } from '../../kernel/once.ts'
import { ownIndex, type IndexSource } from '../index/index-source.ts'
import { userPlaces, type UserPlaces } from '../tree/ignore/user-places.ts'
import type { IndexedSearch } from '../search/indexed-search.ts'
import type { StoredSearch, storedSearch } from '../search/stored/stored-search.ts'
import type { GrepOptions } from '../search/types.ts'
import type { CompileGlob } from '../search/wanted-files.ts'
import type { CodeKnowledge, CodeParts } from './code-knowledge.ts'
import { openResident, type ResidentUse } from './open-resident.ts'
import { residentIndex } from './resident-index.ts'
import { residentSearch } from './resident-search.ts'
import type { ResidentSettings } from './settings.ts'

/** A program's knowledge of a workspace without reading its files: from the resident process, or its own. */
export interface Knowledge {
  readonly index: IndexSource
  /** Belongs to this program alone, even if there is a resident process. */
  readonly ownIndex: IndexSource
  /** For one call. */
  search(): IndexedSearch
  /** The same from what an earlier process stored, for a program that ends soon. */
  readonly storedSearch:
    | ((compileGlob: CompileGlob, options: GrepOptions) => Promise<StoredSearch | undefined>)
    | undefined
  /** Loaded on first use: a request to the index does not need it. */
  code(): Promise<CodeKnowledge>
  /** Locations of the user's ignore rules, which apply to all of it. */
  readonly user: UserPlaces
  close(): Promise<void>
}

export interface KnowledgeParts extends CodeParts {
  readonly use: ResidentUse
  readonly settings: Pick<ResidentSettings, 'idleMs' | 'memoryBytes'>
  /** Files of the workspace that do not belong to the repository. */
  readonly isForeign: (path: string) => boolean
  /** The same as patterns. */
  readonly foreign: readonly string[]
  /** Files that a rule denies: none of their facts are stored on disk. */
  readonly isDenied: (path: string) => boolean
}

async function openStored(
  parts: Omit<Parameters<typeof storedSearch>[0], 'place'>,
  state: string,
  options: GrepOptions,
): Promise<StoredSearch | undefined> {
  const [{ storedSearch: open }, { searchStore }] = await Promise.all([
    import('../search/stored/stored-search.ts'),
    import('./search-store.ts'),
  ])
  return open({ ...parts, place: searchStore(state) }, options)
}

/** Opens and starts everything on first use. */
export function openKnowledge(parts: KnowledgeParts): Knowledge {
  const { root, state, env, use, settings, isForeign, foreign, isDenied, isBrief } = parts
  const residentSettings = { root: root.path, key: state.key, ...settings }
  const resident = openResident({ use, state: state.path, env, settings: residentSettings })
  const user = userPlaces(env)
  const localIndex = ownIndex(root, state, { leaveOut: isForeign, foreign, isDenied, isBrief }, user)
  let isCodeOpen = false
  const code = onceLoaded(async () => {
    isCodeOpen = true
    return (await import('./code-knowledge.ts')).codeKnowledge(resident, parts)
  })
  return {
    index: residentIndex(resident, localIndex),
    ownIndex: localIndex,
    search: residentSearch(resident),
    storedSearch: isBrief
      ? (compileGlob, options) => openStored({ root, user, isForeign, compileGlob }, state.path, options)
      : undefined,
    code,
    user,
    async close() {
      resident.close()
      await Promise.all([localIndex.close(), isCodeOpen ? code().then(each => each.close()) : undefined])
    },
  }
}
