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
  searchParts: SearchParts,
  from: string,
  glob: string,
  options: FindOptions,
): Promise<FoundFiles> {
  // This search reveals names only.
  const parts: SearchParts = { ...searchParts, mayRead: searchParts.mayList, secretFiles: 'open' }
  const fileFilter = wantedFiles(parts.compileGlob, glob)
  const place = searchPlace(parts, from)
  if (place.type === 'file') throw notADirectory(place.path)
  const answer = await askIndex(parts, place, glob, fileFilter, options)
  if (answer) return answer
  const finding = { ...options, directory: place.path, timeoutMs: SEARCH_MS }
  return place.hold(held => findFiles(held, finding, { ...parts, staged: place.staged, wanted: fileFilter }))
}

async function askIndex(
  parts: SearchParts,
  { path: directory, staged }: SearchPlace,
  glob: string,
  wanted: Wanted,
  options: FindOptions,
): Promise<FoundFiles | undefined> {
  const { indexed, mayRead } = parts
  const leaveOut = indexed && (await exclusionsFor(indexed, { ...parts, staged }))
  if (!leaveOut) return undefined
  const { skip = 0, maxResults } = options
  const mostFiles = skip + maxResults
  const indexedFiles = await indexed.find(directory, glob, { ...options, skip: 0, maxResults: mostFiles }, leaveOut)
  // A file created a moment ago is in no exclusion list, so the index would count it too.
  if (!indexedFiles?.files.every(mayRead)) return undefined
  const { length: hiddenCount } = leaveOut.hidden.filter(path => isBelow(path, { directory }))
  if (!staged) return { ...indexedFiles, files: indexedFiles.files.slice(skip, mostFiles), filesHidden: hiddenCount }
  // Staged files are few: search them with the same code as without an index.
  const stagedFiles = await findFiles(
    undefined,
    { ...options, skip: 0, maxResults: mostFiles, directory, timeoutMs: SEARCH_MS },
    { ...parts, staged, wanted },
  )
  return {
    ...indexedFiles,
    files: inOrder(indexedFiles.files, stagedFiles.files, mostFiles).slice(skip, mostFiles),
    total: indexedFiles.total + stagedFiles.total,
    filesHidden: hiddenCount + stagedFiles.filesHidden,
  }
}

/** The index returns its files in order. */
function inOrder(files: readonly string[], own: readonly string[], room: number): readonly string[] {
  if (own.length === 0) return files
  const first = firstByPath<{ path: string }>(room, () => 1)
  for (const path of [...files, ...own]) first.add({ path })
  return first.sorted().map(({ path }) => path)
}
