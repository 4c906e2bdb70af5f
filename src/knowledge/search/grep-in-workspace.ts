import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { oncePer } from '../../kernel/once.ts'
import { isReference } from '../../kernel/reference.ts'
import { readWhole } from '../../machine/workspace/disk.ts'
import { createGrant } from '../../machine/workspace/grant.ts'
import { parentOf, show } from '../../machine/workspace/path.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { createView } from '../../machine/workspace/view.ts'
import { centerLongLines } from './center-long-lines.ts'
import { checkPatterns } from './check-patterns.ts'
import { concealMatches } from './conceal-matches.ts'
import { crossesLines } from './crosses-lines.ts'
import { grep, searchTexts } from './grep.ts'
import { holdDirectory, type HeldDirectory } from './held-directory.ts'
import { listFiles } from './list-files.ts'
import { exclusionsFor } from './exclusions.ts'
import { isPlain } from './index/is-plain.ts'
import type { IndexedSearch } from './indexed-search.ts'
import { mergeMatches } from './merge-matches.ts'
import { searchableText } from './pattern/searchable-text.ts'
import type { SearchParts } from './search-parts.ts'
import { searchPlace, type SearchPlace } from './search-place.ts'
import { isBelow, type SearchView } from './search-view.ts'
import { scan, type Scanned } from './scan.ts'
import type { Grepped, GrepOptions } from './types.ts'
import { wantedBy } from './wanted-files.ts'

/** Searches staged contents, conceals secrets in the lines found, and shows long lines around their first match. */
export async function grepInWorkspace(parts: SearchParts, options: GrepOptions): Promise<Grepped> {
  const rawMatches = await search(parts, options)
  if (rawMatches.matches.length === 0) return rawMatches
  const read = (path: string) => (isReference(path) ? parts.reference(path) : visibleBytes(parts, path))
  const conceal = parts.conceal?.()
  const matches = conceal ? concealMatches(rawMatches.matches, { ...options, conceal, read }) : rawMatches.matches
  const readConcealed = (path: string) => {
    const bytes = read(path)
    return bytes && conceal ? conceal.part(bytes, 0, bytes.length) : bytes
  }
  return { ...rawMatches, matches: await centerLongLines(matches, { options, read: readConcealed }) }
}

/** Returns the searched text of a file as staged; undefined if it is no readable file any more. */
function visibleBytes({ root, staging }: SearchParts, path: string): Buffer | undefined {
  try {
    const view = createView(root, staging)
    return view.look(path, {}, ({ located, seen, type }) => {
      if (type !== 'file') return undefined
      return searchableText(seen.type === 'file' ? view.bytes(seen) : readWhole(root, located).bytes)
    })
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}

/** Uses the index for a directory, if there is one; searches a single file or a stored result directly. */
async function search(parts: SearchParts, given: GrepOptions): Promise<Grepped> {
  checkPatterns(given)
  const { regex = false, multiline, types, ...rest } = given
  const options = {
    ...rest,
    regex,
    multiline: multiline && rest.patterns.some(one => crossesLines(one, regex)),
    ...(types && types.length > 0 && { typeGlobs: await typeGlobs(types) }),
  }
  const { directory: from = '.' } = options
  if (isReference(from)) return grepReference(parts, from, options)
  const contentFilter = wantedBy(parts.compileGlob, options)
  const place = searchPlace(parts, from)
  if (place.type === 'file') return grepFile(parts, place, options)
  const directoryOptions = { ...options, directory: place.path }
  const world = { ...parts, wanted: contentFilter, staged: place.staged }
  const since = performance.now()
  // The index finds lines and does not distinguish matches.
  const answer = options.onlyMatching ? undefined : await askIndexes(parts, directoryOptions, world)
  if (answer) return answer
  // The index used some of the time; always leave some for the scan.
  const timeLeftMs = Math.max(options.timeoutMs - (performance.now() - since), options.timeoutMs / LEAST_SHARE)
  return place.hold(held => grep(held, { ...directoryOptions, timeoutMs: timeLeftMs }, world))
}

async function typeGlobs(types: readonly string[]): Promise<readonly string[]> {
  const { fileTypes, globsOfTypes } = await import('./file-types.ts')
  return globsOfTypes(await fileTypes(), types)
}

/** A scan gets at least this share of the time, even if the index was slow to decline. */
const LEAST_SHARE = 10

type InDirectory = GrepOptions & { readonly directory: string }

async function askIndexes(
  { indexed, stored, root }: SearchParts,
  options: InDirectory,
  world: SearchView,
): Promise<Grepped | undefined> {
  const answer = indexed && (await askIndex(indexed, root, options, world))
  // A scan is the faster way to search for other patterns.
  const storedSearch = answer || !isPlain(options) ? undefined : await stored?.(options)
  return answer ?? (storedSearch && askIndex(storedSearch, root, options, world))
}

async function askIndex(
  indexed: Pick<IndexedSearch, 'files' | 'grep'>,
  root: Root,
  options: InDirectory,
  world: SearchView,
): Promise<Grepped | undefined> {
  const leaveOut = await exclusionsFor(indexed, world)
  if (!leaveOut) return undefined
  const { skip = 0, maxResults } = options
  const { names = false } = options
  const fromFirst = { ...options, names: names && !world.staged, skip: 0, maxResults: skip + maxResults }
  const indexedMatches = await indexed.grep(fromFirst, leaveOut)
  // A file created a moment ago is in no exclusion list, so the index would count it too.
  const mayRead = oncePer(world.mayRead)
  const isDenied = ({ path }: { readonly path: string }) => !mayRead(path)
  if (!indexedMatches || indexedMatches.matches.some(isDenied) || indexedMatches.files?.some(isDenied)) return undefined
  // Staged files are few: search them with the same code as without an index.
  const stagedMatches = world.staged && (await grep(undefined, fromFirst, world))
  const unread = (indexedMatches.unread ?? []).filter(
    path => isBelow(path, options) && (world.wanted?.matches(path) ?? true) && world.mayRead(path),
  )
  const unreadMatches = await grepApart(root, unread, fromFirst)
  if (!unreadMatches) return undefined
  const { directory } = options
  const countHere = (paths: readonly string[]) => paths.filter(path => isBelow(path, { directory })).length
  return {
    ...mergeMatches([indexedMatches, ...(stagedMatches ? [stagedMatches] : []), ...unreadMatches], options),
    filesHidden: countHere(leaveOut.hidden) + (stagedMatches?.filesHidden ?? 0),
    secretsLeftOut:
      (indexedMatches.secretsLeftOut ?? 0) + countHere(leaveOut.closed) + (stagedMatches?.secretsLeftOut ?? 0),
    freshness: indexedMatches.freshness,
    ...(indexedMatches.isNamed && !stagedMatches && unreadMatches.length === 0 && { isNamed: true }),
  }
}

/**
 * Searches a named file regardless of ignore files. Starts in its directory and passes its name, so that it is read
 * like any other file.
 */
async function grepFile(parts: SearchParts, place: SearchPlace, options: GrepOptions): Promise<Grepped> {
  const { path, staged } = place
  if (!parts.mayRead(path)) throw new ToolError('denied', `A rule denies reading ${show(path)}`)
  const fileScan = await place.hold(async held => {
    const isSearched = !options.countsText || staged?.isText(path)
    if (!held) return staged && searchTexts(options, isSearched ? 1 : 0, () => staged.materialize([path]))
    return scanFile(held, path, options)
  })
  return answerOf(fileScan ? [fileScan] : [], options)
}

/**
 * Searches files that the index has not read in their current state. Returns undefined if one can no longer be held.
 */
async function grepApart(
  root: Root,
  paths: readonly string[],
  options: GrepOptions,
): Promise<readonly Scanned[] | undefined> {
  const directories: HeldDirectory[] = []
  try {
    const places = paths.map(path => {
      const directory = holdDirectory(root, parentOf(path))
      directories.push(directory)
      return { path, directory }
    })
    return await Promise.all(places.map(({ path, directory }) => scanFile(directory, path, options)))
  } catch (error) {
    if (error instanceof ToolError && GONE.has(error.code)) return undefined
    throw error
  } finally {
    for (const one of directories) one.release()
  }
}

const GONE: ReadonlySet<string> = new Set(['not_found', 'not_a_directory', 'io'])

/** Searches one file of a held directory. */
async function scanFile(held: HeldDirectory, path: string, options: GrepOptions): Promise<Scanned> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const above = path.slice(0, path.length - name.length)
  const args = [
    '--max-depth=1',
    `--glob=/${name.replaceAll(/[*?[\]{}!\\]/g, '\\$&').replaceAll(/[\ud800-\udfff]/g, '?')}`,
  ]
  const pathBelow = (below: string) => above + below
  const { path: cwd, root } = held
  const scanning = { cwd, root, args, sees: (one: string) => one === path, place: pathBelow }
  const { countsText, timeoutMs, signal } = options
  let textFiles = 0
  const [fileScan] = await Promise.all([
    scan({ ...options, hidden: true }, scanning),
    countsText && listFiles({ cwd, args, timeoutMs, signal, textOnly: true, onFile: () => void textFiles++ }),
  ])
  return { ...fileScan, filesSearched: countsText ? textFiles : fileScan.unreadable ? 0 : 1 }
}

async function grepReference(parts: SearchParts, path: string, options: GrepOptions): Promise<Grepped> {
  createGrant(parts.claims).need(path, 'read')
  const bytes = parts.reference(path)
  const isSearched = !options.countsText || searchableText(bytes) !== undefined
  const referenceScan = await searchTexts(options, isSearched ? 1 : 0, () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-search-'))
    writeFileSync(join(directory, path), bytes, { mode: 0o600, flag: 'wx' })
    return { path: directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
  })
  return answerOf([referenceScan], options)
}

const answerOf = (parts: Parameters<typeof mergeMatches>[0], options: GrepOptions): Grepped => ({
  ...mergeMatches(parts, options),
  filesHidden: 0,
  secretsLeftOut: 0,
  freshness: { source: 'scan' },
})
