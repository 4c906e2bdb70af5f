import { onceLoaded } from '../kernel/once.ts'
import { ownIndex, type IndexSource } from '../knowledge/index/index-source.ts'
import { userPlaces, type UserPlaces } from '../knowledge/tree/ignore/user-places.ts'
import { searchThrough } from '../knowledge/answers/search-through.ts'
import type { IndexedSearch } from '../knowledge/search/indexed-search.ts'
import type { StoredSearch, storedSearch } from '../knowledge/search/stored/stored-search.ts'
import type { GrepOptions } from '../knowledge/search/types.ts'
import type { CompileGlob } from '../knowledge/search/wanted-files.ts'
import type { CodeKnowledge, CodeParts } from './program-code.ts'
import { openResident, type ResidentUse } from './open-resident.ts'
import { reachedIndex } from './reached-index.ts'
import { reachedSearch } from './reached-search.ts'
import type { ResidentSettings } from './settings.ts'

/** What a program knows of a workspace without reading its files: from the process of the workspace, or its own. */
export interface ProgramKnowledge {
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

export interface ProgramKnowledgeParts extends CodeParts {
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
    import('../knowledge/search/stored/stored-search.ts'),
    import('./search-store.ts'),
  ])
  return open({ ...parts, place: searchStore(state) }, options)
}

/** Opens and starts everything on first use. */
export function openProgramKnowledge(parts: ProgramKnowledgeParts): ProgramKnowledge {
  const { root, state, env, use, settings, isForeign, foreign, isDenied, isBrief } = parts
  const residentSettings = { root: root.path, key: state.key, ...settings }
  const resident = openResident({ use, state: state.path, env, settings: residentSettings })
  const user = userPlaces(env)
  const localIndex = ownIndex(root, state, { leaveOut: isForeign, foreign, isDenied, isBrief }, user)
  let isCodeOpen = false
  const code = onceLoaded(async () => {
    isCodeOpen = true
    return (await import('./program-code.ts')).codeKnowledge(resident, parts)
  })
  return {
    index: reachedIndex(resident, localIndex),
    ownIndex: localIndex,
    search: searchThrough(reachedSearch(resident)),
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
