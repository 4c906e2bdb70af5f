import { findFiles } from './find-files.ts'
import { firstByPath } from './first-by-path.ts'
import { exclusionsFor } from './exclusions.ts'
import type { SearchParts } from './search-parts.ts'
import { notADirectory, searchPlace, type SearchPlace } from './search-place.ts'
import { isBelow } from './search-view.ts'
import type { FindOptions, FoundFiles } from './types.ts'
import { wantedFiles, type Wanted } from './wanted-files.ts'

const SEARCH_MS = 30_000

/** Finds files in the staged view. Asks the index first if there is one. */
export async function findInWorkspace(
  given: SearchParts,
  from: string,
  glob: string,
  options: FindOptions,
): Promise<FoundFiles> {
  // This search reveals names only.
  const parts: SearchParts = { ...given, mayRead: given.mayList, secretFiles: 'open' }
  const wanted = wantedFiles(parts.compileGlob, glob)
  const place = searchPlace(parts, from)
  if (place.type === 'file') throw notADirectory(place.path)
  const answer = await askIndex(parts, place, glob, wanted, options)
  if (answer) return answer
  const finding = { ...options, directory: place.path, timeoutMs: SEARCH_MS }
  return place.hold(held => findFiles(held, finding, { ...parts, staged: place.staged, wanted }))
}

async function askIndex(
  parts: SearchParts,
  { path: directory, staged }: SearchPlace,
  glob: string,
  wanted: Wanted,
  options: FindOptions,
): Promise<FoundFiles | undefined> {
  const { indexed, mayRead } = parts
  const left = indexed && (await exclusionsFor(indexed, { ...parts, staged }))
  if (!left) return undefined
  const { skip = 0, maxResults } = options
  const room = skip + maxResults
  const found = await indexed.find(directory, glob, { ...options, skip: 0, maxResults: room }, left)
  // A file created a moment ago is in no exclusion list, so the index would count it too.
  if (!found?.files.every(mayRead)) return undefined
  const { length: hidden } = left.hidden.filter(path => isBelow(path, { directory }))
  if (!staged) return { ...found, files: found.files.slice(skip, room), filesHidden: hidden }
  // Staged files are few: search them with the same code as without an index.
  const own = await findFiles(
    undefined,
    { ...options, skip: 0, maxResults: room, directory, timeoutMs: SEARCH_MS },
    { ...parts, staged, wanted },
  )
  return {
    ...found,
    files: inOrder(found.files, own.files, room).slice(skip, room),
    total: found.total + own.total,
    filesHidden: hidden + own.filesHidden,
  }
}

/** The index returns its files in order. */
function inOrder(files: readonly string[], own: readonly string[], room: number): readonly string[] {
  if (own.length === 0) return files
  const first = firstByPath<{ path: string }>(room, () => 1)
  for (const path of [...files, ...own]) first.add({ path })
  return first.sorted().map(({ path }) => path)
}
