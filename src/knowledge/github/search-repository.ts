import { ToolError } from '../../kernel/error.ts'
import { decodeText } from './decode-text.ts'
import { MOST_KEPT } from './hub.ts'
import { readFiles } from './read-files.ts'
import type { RepositoryEntry, RepositorySource } from './types.ts'

interface SearchedLine {
  readonly path: string
  readonly line: number
  readonly text: string
}

interface RepositorySearch {
  readonly query: string
  /** Reports whether to search a file. */
  readonly wants: (path: string) => boolean
  readonly limit: number
  /** Reads no file after this time. */
  readonly deadline: number
}

/** Larger files are data or generated. */
const LARGEST = 1024 * 1024

/**
 * Returns lines that contain a text, regardless of case, in path order. If there is room, adds the first line of files
 * whose path contains it. The text is never a pattern.
 */
export async function searchRepository(
  source: RepositorySource,
  { query, wants, limit, deadline }: RepositorySearch,
): Promise<readonly SearchedLine[]> {
  const lowerQuery = query.toLowerCase()
  const files = (await source.files()).filter(({ path, size }) => size <= LARGEST && wants(path))
  const matchLines: SearchedLine[] = []
  const pathMatches: SearchedLine[] = []
  let searchedCount = 0
  for await (const { file, bytes } of readFiles(source, files, deadline)) {
    searchedCount++
    const { path } = file
    const lines = decodeText(bytes)?.split(/\r?\n/) ?? []
    const before = matchLines.length
    for (const [at, text] of lines.entries()) {
      if (!text.toLowerCase().includes(lowerQuery)) continue
      matchLines.push({ path, line: at + 1, text })
      if (matchLines.length >= limit) return matchLines
    }
    if (matchLines.length === before && path.toLowerCase().includes(lowerQuery))
      pathMatches.push(firstLine(path, lines))
  }
  if (searchedCount < files.length) throw outOfTime(searchedCount, files, matchLines.length)
  return [...matchLines, ...pathMatches].slice(0, limit)
}

function firstLine(path: string, lines: readonly string[]): SearchedLine {
  const at = lines.findIndex(line => line.trim() !== '')
  return { path, line: Math.max(0, at) + 1, text: lines[at] ?? '' }
}

/** Throws, because an incomplete list that looks complete would be worse than none. */
function outOfTime(searched: number, files: readonly RepositoryEntry[], found: number): ToolError {
  const [all, bytes] = [files.length, files.reduce((sum, { size }) => sum + size, 0)]
  const message = `Only ${searched} of ${all} files could be searched in time, with ${found} matches so far`
  // If there are more, the cache drops the first before the last arrive.
  const isKept = bytes < MOST_KEPT
  return new ToolError('timeout', message, {
    hint: isKept
      ? 'Search again to continue, as files already read are cached, or name fewer files'
      : 'Name fewer files',
    details: { searched, files: all },
  })
}
