import { createContext, Script } from 'node:vm'
import { ToolError } from '../../kernel/error.ts'
import { compilePattern } from '../search/pattern/compile-pattern.ts'
import { searchableText } from '../search/pattern/searchable-text.ts'
import type { CompiledPattern } from '../search/pattern/types.ts'
import type { GrepMatch, Grepped, GrepOptions } from '../search/types.ts'
import { wantedBy, type CompileGlob } from '../search/wanted-files.ts'
import { readFiles } from './read-files.ts'
import { repositoryPath } from './repository-path.ts'
import { MOST_BYTES, type RepositoryEntry, type RepositorySource } from './types.ts'

/** Matching blocks the event loop, so one file gets no longer than this. */
const ONE_FILE_MS = 60

/** A second try for slower files, all together: another program may have used the processor. */
const SECOND_TRY_MS = 500

/** Searches a repository like a workspace. `timedOut` reports files there was no time for. */
export async function grepRepository(
  source: RepositorySource,
  options: GrepOptions,
  { compileGlob, deadline }: { readonly compileGlob: CompileGlob; readonly deadline: number },
): Promise<Grepped> {
  const pattern = compilePattern(options)
  if (!pattern)
    throw new ToolError('invalid_input', 'This pattern cannot be searched for in a repository on GitHub', {
      hint: 'Search for plain text, or for a simpler pattern',
    })
  const { skip = 0, maxResults, only } = options
  const all = await source.files()
  await ensureThere(source, all, repositoryPath(options.directory ?? ''))
  const files = all.filter(({ size }) => size <= MOST_BYTES).filter(wantedIn(options, compileGlob))
  const matches: GrepMatch[] = []
  const fileCounts: { path: string; count: number }[] = []
  const search = patientSearch()
  let [total, filesSearched, slow] = [0, 0, false]
  for await (const { file, bytes } of readFiles(source, files, Math.min(deadline, Date.now() + options.timeoutMs))) {
    filesSearched++
    const text = searchableText(bytes)
    if (!text) continue
    const searchResult = search(() => placesIn(pattern, text))
    slow ||= !searchResult
    const places = searchResult?.gave ?? []
    if (places.length > 0) fileCounts.push({ path: file.path, count: places.length })
    if (!only && total + places.length > skip && matches.length < maxResults) {
      const from = Math.max(0, skip - total)
      const pagePlaces = places.slice(from, from + maxResults - matches.length)
      matches.push(...matchesAt(pattern, text, pagePlaces, options).map(match => ({ path: file.path, ...match })))
    }
    total += places.length
  }
  return {
    matches,
    ...(only && { files: fileCounts.slice(skip, skip + maxResults) }),
    total,
    filesFound: fileCounts.length,
    filesSearched,
    filesHidden: (await source.hidden()).length,
    secretsLeftOut: 0,
    timedOut: slow || filesSearched < files.length,
    freshness: { source: 'scan' },
  }
}

function patientSearch(): <T>(work: () => T) => { readonly gave: T } | undefined {
  let remainingMs = SECOND_TRY_MS
  return work => {
    const first = runWithin(ONE_FILE_MS, work)
    if (first || remainingMs < ONE_FILE_MS) return first
    const since = performance.now()
    const second = runWithin(Math.ceil(remainingMs), work)
    remainingMs -= performance.now() - since
    return second
  }
}

/** Refuses a missing path: an empty result would mislead. */
async function ensureThere(source: RepositorySource, files: readonly RepositoryEntry[], path: string): Promise<void> {
  if (path !== '' && !files.some(file => file.path === path)) await source.directory(path)
}

function wantedIn({ directory, globs = [], hidden = true }: GrepOptions, compileGlob: CompileGlob) {
  const below = repositoryPath(directory ?? '')
  const globFilter = wantedBy(compileGlob, { globs })
  return ({ path }: { readonly path: string }): boolean =>
    (below === '' || path === below || path.startsWith(`${below}/`)) &&
    (hidden || !/(^|\/)\./.test(path)) &&
    (globFilter?.matches(path) ?? true)
}

interface Place {
  readonly start: number
  readonly end: number
}

function placesIn(pattern: CompiledPattern, text: Buffer): readonly Place[] {
  const places: Place[] = []
  pattern.find(text, (start, end) => void places.push({ start, end }))
  return places
}

const NEWLINE = 10

function matchesAt(
  pattern: CompiledPattern,
  text: Buffer,
  places: readonly Place[],
  { before = 0, after = 0 }: GrepOptions,
): readonly Omit<GrepMatch, 'path'>[] {
  if (places.length === 0) return []
  const lines = linesOf(text)
  const show = ({ start, end }: Place) => pattern.show(text, start, end)
  let line = 0
  return places.map(place => {
    while (line < lines.length - 1 && (lines[line]?.start ?? 0) < place.start) line++
    const context = {
      before: lines.slice(Math.max(0, line - before), line).map(show),
      after: lines.slice(line + 1, line + 1 + after).map(show),
    }
    return { line: line + 1, text: show(place), ...((before > 0 || after > 0) && { context }) }
  })
}

function linesOf(text: Buffer): readonly Place[] {
  const lines: Place[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(NEWLINE, start)
    lines.push({ start, end: end < 0 ? text.length : end })
    start = end < 0 ? text.length : end + 1
  }
  return lines
}

const script = new Script('work()')
const context = createContext({ work: undefined })

/** Runs work with a time limit. Returns undefined if it takes longer: it is ended, even inside a regular expression. */
export function runWithin<T>(ms: number, work: () => T): { readonly gave: T } | undefined {
  context['work'] = () => ({ gave: work() })
  try {
    return script.runInContext(context, { timeout: ms })
  } catch (cause) {
    // An error of the other context is not an instance of this one's Error.
    if (Object(cause).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw cause
  } finally {
    context['work'] = undefined
  }
}
