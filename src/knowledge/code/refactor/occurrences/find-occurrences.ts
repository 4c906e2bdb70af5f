import { ToolError } from '../../../../kernel/error.ts'
import type { WrittenName } from '../../../model/occurrences/occurrence.ts'
import { parseOccurrences } from '../../../model/occurrences/parse-occurrences.ts'
import type { CodeParts } from '../../code-parts.ts'
import { isPast, type Deadline } from '../../servers/deadline.ts'
import type { Sources } from '../../source.ts'
import { textOccurrences } from './text-occurrences.ts'

/** The places of one file. */
export interface FileOccurrences {
  readonly path: string
  readonly text: string
  readonly written: readonly WrittenName[]
}

const MOST_FILES = 20_000

/** Every file of the workspace that writes a name, with the places; `timeout` where not every one could be looked at. */
export async function findOccurrences(
  parts: CodeParts,
  sources: Sources,
  name: string,
  deadline: Deadline,
): Promise<readonly FileOccurrences[]> {
  const found: FileOccurrences[] = []
  for (const path of await filesWith(parts, name, deadline)) {
    if (isPast(deadline)) throw late()
    const text = textOf(sources, path)
    if (text === undefined) continue
    const written = (await parseOccurrences(path, text, name)) ?? textOccurrences(path, text, name)
    if (written.length > 0) found.push({ path, text, written })
  }
  return found
}

/** The files that hold a text, in the order of their paths. */
export async function filesWith(parts: CodeParts, text: string, deadline: Deadline): Promise<readonly string[]> {
  const { files = [], timedOut } = await parts.search.grep({
    patterns: [text],
    globs: ['!**/node_modules/**', '!.git/**'],
    only: 'files',
    maxResults: MOST_FILES,
    timeoutMs: Math.max(1, deadline.at - performance.now()),
    ...(deadline.signal && { signal: deadline.signal }),
  })
  if (timedOut || files.length >= MOST_FILES) throw late()
  return files.map(({ path }) => path)
}

/** Undefined for what is no text. */
function textOf(sources: Sources, path: string): string | undefined {
  try {
    return sources(path).text
  } catch (error) {
    if (error instanceof ToolError && /^(?:binary|too_large|not_found|not_a_file|denied)$/.test(error.code))
      return undefined
    throw error
  }
}

export const late = (): ToolError =>
  new ToolError('timeout', 'Not every file that writes the name could be looked at in time', {
    hint: 'Nothing was changed. Ask again with more time (`timeouts` of the configuration)',
  })
