import { ToolError } from '../../../../kernel/error.ts'
import type { WrittenName } from '../../../model/occurrences/occurrence.ts'
import { parseOccurrences } from '../../../model/occurrences/parse-occurrences.ts'
import { isPast } from '../../servers/deadline.ts'
import { notInTime, type RefactorParts } from '../refactor-parts.ts'
import { textOccurrences } from './text-occurrences.ts'

/** An occurrence of a name, with the text of its file. */
export interface WrittenPlace extends WrittenName {
  readonly path: string
  readonly text: string
}

const MOST_FILES = 20_000

/** Every occurrence of a name in the workspace. Throws `timeout` if not every file could be searched. */
export async function findOccurrences(parts: RefactorParts, name: string): Promise<readonly WrittenPlace[]> {
  const places: WrittenPlace[] = []
  for (const path of await filesWith(parts, name)) {
    if (isPast(parts.deadline)) throw notInTime()
    const text = textOf(parts, path)
    if (text === undefined) continue
    const occurrences = (await parseOccurrences(path, text, name)) ?? textOccurrences(path, text, name)
    places.push(...occurrences.map(each => ({ ...each, path, text })))
  }
  return places
}

/** The files that contain a text, sorted by path. */
export async function filesWith({ search, deadline }: RefactorParts, text: string): Promise<readonly string[]> {
  const { files = [], timedOut } = await search.grep({
    patterns: [text],
    globs: ['!**/node_modules/**', '!.git/**'],
    only: 'files',
    maxResults: MOST_FILES,
    timeoutMs: Math.max(1, deadline.at - performance.now()),
    ...(deadline.signal && { signal: deadline.signal }),
  })
  if (timedOut || files.length >= MOST_FILES) throw notInTime()
  return files.map(({ path }) => path)
}

/** Undefined for a file that is no text. */
function textOf({ sources }: RefactorParts, path: string): string | undefined {
  try {
    return sources(path).text
  } catch (error) {
    if (error instanceof ToolError && /^(?:binary|too_large|not_found|not_a_file|denied)$/.test(error.code))
      return undefined
    throw error
  }
}
