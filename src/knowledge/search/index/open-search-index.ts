import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { ToolError, type Code } from '../../../kernel/error.ts'
import type { TreeState } from '../../tree/tree.ts'
import { buildIndex } from './build-index.ts'
import { countFiles } from './count-files.ts'
import { indexChanges } from './index-changes.ts'
import { segmentBuilder } from './build-segments.ts'
import { openMasks, type Mask } from './masks.ts'
import type { AttachedSegment, SearchEnd } from './messages.ts'
import { pathTable } from './path-table.ts'
import { fileReader } from './read-file-text.ts'
import { readFound } from './read-found.ts'
import { searchHere } from './search-here.ts'
import { openSearchers, type Searchers } from './searchers.ts'
import { segmentCache } from './segment-cache.ts'
import { segmentStore } from './segment-store.ts'
import { segmentTexts } from './segment-texts.ts'
import { spill } from './spill.ts'
import { builderThread } from './threads.ts'
import type { IndexedAnswer, SearchIndex, SearchIndexParts, SearchRequest } from './types.ts'

/** Attempts of a search whose files change while it runs. */
const ATTEMPTS = 3
/**
 * Time limits for a pattern that JavaScript may backtrack on. They depend on how many files a scan reads and on its
 * time.
 */
const [LEAST_MATCH_MS, MOST_MATCH_MS, SCANNED_IN_MS, MATCH_SHARE] = [100, 300, 200, 4]
/** Longest wait for other requests. A scan takes little longer. */
const WAIT_MS = 50
/** Beyond this many, a single scan is faster than one per file. */
const MOST_UNREADABLE = 8
/** Paths sorted before other work gets its turn. */
const AT_ONCE = 4_000

/** Reads a workspace into memory in the background, updates it when the tree reports changes, and searches it. */
export function openSearchIndex(parts: SearchIndexParts): SearchIndex {
  const { directory, tree, compileGlob, memoryBytes, cache: place, isDenied = () => false } = parts
  const threads = parts.threads ?? Math.min(4, Math.max(2, availableParallelism()))
  const [book, store, texts] = [pathTable(), segmentStore(), segmentTexts()]
  const builder = builderThread(directory)
  const builders = threads < 2 ? [builder] : [builder, builderThread(directory)]
  /** Started once there is something to search, so that these threads do not compete with the readers. */
  let searchers: Searchers | undefined
  let attachedSegments: readonly AttachedSegment[] = []
  const indexParts: Held = {
    parts,
    book,
    store,
    masks: openMasks(book, compileGlob),
    counts: new WeakMap(),
    refused: { state: '', paths: [] },
    quickly: searchHere(texts),
    attached: () => attachedSegments,
    searchers: () => searchers,
  }
  let [nextSegment, isClosed, isBuilt, filesRead] = [1, false, false, 0]
  const nextId = (): number => nextSegment++
  const cache = segmentCache({ place, builders, store, book, nextId, isDenied, attach })
  const changes = indexChanges({
    tree,
    book,
    store,
    builders,
    here: segmentBuilder(fileReader(directory)),
    memoryBytes,
    takeIds: count => (nextSegment += count) - count,
    onRead: count => (filesRead += count),
    onSegments: attach,
    cache,
  })
  const firstBuild = build()
  // Callers that wait receive the error; without a caller it is not a defect.
  firstBuild.catch(() => undefined)

  return {
    ready: () => firstBuild,
    status: () => ({
      state: !isBuilt ? 'building' : changes.pending() > 0 ? 'behind' : 'current',
      files: store.count(),
      segments: store.held.size,
      textBytes: store.bytes().text,
      bytes: store.bytes().all,
      filesRead,
    }),
    async grep(request, signal) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const state = await tree.settle({ strict: request.options.strict ?? false })
        if (!isBuilt || isClosed) return { scan: 'building' }
        const unread = state.state === 'current' ? await changes.apply() : undefined
        if (state.state === 'behind' || !unread) return { scan: 'behind' }
        const answer = await search(indexParts, request, unread, state, signal)
        if (answer) return answer
      }
      return { scan: 'behind' }
    },
    async close() {
      if (isClosed) return
      isClosed = true
      changes.close()
      // Without a cache directory, do not wait for pending reads.
      const isKept = place !== undefined && existsSync(dirname(place.directory))
      if (isKept) await firstBuild.catch(() => undefined)
      await searchers?.end()
      if (isKept) await saveQuietly(indexParts, cache.saveAll)
      await Promise.all(builders.map(one => one.end()))
      texts.keep([])
      cache.close()
    },
  }

  async function build(): Promise<void> {
    await tree.caughtUp()
    const files = changes.begin()
    for (let at = 0; at < files.length; at += AT_ONCE) {
      book.addAll(files.slice(at, at + AT_ONCE).map(({ path }) => path))
      await new Promise(resolve => setImmediate(resolve))
    }
    const missing = await cache.load(files)
    filesRead += missing.length
    const notPacked = await buildIndex({ files: missing, book, store, builders, memoryBytes, nextId, cache, isDenied })
    changes.note(notPacked.map(({ path }) => path))
    changes.forget(files.map(({ path }) => path))
    if (isClosed) return
    spill(store, memoryBytes)
    searchers = openSearchers(directory, threads)
    attach()
    isBuilt = true
    void saveQuietly(indexParts, cache.saveInBackground)
  }

  function attach(): void {
    attachedSegments = store.attached()
    searchers?.attach(attachedSegments, book.ranks())
  }
}

/** What is not stored only costs a later process some time. */
async function saveQuietly({ parts, store }: Pick<Held, 'parts' | 'store'>, save: () => Promise<void>): Promise<void> {
  try {
    await save()
    if (parts.cache !== undefined) await parts.onStored?.(store.held.values())
  } catch {}
}

/** The parts of the index that a search needs. */
interface Held {
  readonly parts: SearchIndexParts
  readonly book: ReturnType<typeof pathTable>
  readonly store: ReturnType<typeof segmentStore>
  readonly masks: ReturnType<typeof openMasks>
  /** Number of files that each mask selects, for one state of the store. */
  readonly counts: WeakMap<Mask, { readonly state: string; readonly count: number }>
  /** Listed files that the store lacks, for one state of the store and the tree. */
  refused: { readonly state: string; readonly paths: readonly string[] }
  readonly quickly: ReturnType<typeof searchHere>
  attached(): readonly AttachedSegment[]
  searchers(): Searchers | undefined
}

/** Returns undefined if a file had changed or was read again meanwhile. */
async function search(
  held: Held,
  { options, leaveOut = [], packs = false }: SearchRequest,
  large: readonly string[],
  state: TreeState & { readonly state: 'current' },
  signal: AbortSignal | undefined,
): Promise<IndexedAnswer | undefined> {
  const { parts, book, store, masks } = held
  const mask = await masks.maskFor(options, large.length > 0 ? [...leaveOut, ...large] : leaveOut)
  const unreadableNow = unreadable(held, large)
  if (unreadableNow.length > MOST_UNREADABLE) return { scan: 'foreign' }
  const unread = [...large, ...unreadableNow].filter(path => !leaveOut.includes(path))
  const rest = unread.length > 0 ? { unread } : {}
  const filesSearched = options.countsText
    ? countFiles(
        held.attached().map(({ segment }) => segment),
        mask,
        true,
      )
    : mask
      ? presentCount(held, mask)
      : store.count()
  const freshness = { source: 'index', checked: state.checked } as const
  const here = signal?.aborted ? undefined : held.quickly({ options, mask }, held.attached(), book.ranks())
  if (here) {
    const answer = await readFound(here, options, book.pathOf, packs)
    return { ...answer, filesSearched, timedOut: false, freshness, ...rest }
  }
  const searchers = held.searchers()
  if (!searchers) return { scan: 'building' }
  const { timeoutMs } = options
  const times = {
    timeoutMs,
    matchMs: Math.min(matchMs(held), timeoutMs / MATCH_SHARE),
    waitMs: parts.waitMs ?? WAIT_MS,
  }
  const [version, segments] = [store.version(), held.attached()]
  const { end, found, timedOut } = await searchers.search({ options, mask }, times, signal)
  // Threads can share work only while they see the same segments.
  const isSame = held.attached() === segments && store.version() === version
  if (end.how === 'changed' || (!timedOut && !isSame)) return undefined
  if (end.how === 'foreign' || end.how === 'slow' || end.how === 'busy') return { scan: end.how }
  if (end.how === 'failed') throw failureOf(end)
  const answer = await readFound(found, options, book.pathOf, packs)
  return { ...answer, filesSearched, timedOut, freshness, ...rest }
}

/** Returns listed files that could not be read. ripgrep reports the reason for each. */
function unreadable(held: Held, large: readonly string[]): readonly string[] {
  const { parts, store, book } = held
  const { tree } = parts
  if (store.count() >= tree.files().size) return []
  const state = `${store.version()}:${store.count()}:${tree.version()}`
  if (held.refused.state !== state) {
    const paths = [...tree.files().keys()].filter(path => !store.isPresent(book.known(path) ?? -1))
    held.refused = { state, paths }
  }
  return held.refused.paths.filter(path => !large.includes(path))
}

/** Returns about the longest time of a scan, so that both together stay short. */
function matchMs({ parts, store }: Held): number {
  return parts.matchMs ?? Math.min(MOST_MATCH_MS, LEAST_MATCH_MS + store.count() / SCANNED_IN_MS)
}

/** Caches counts by mask, because masks repeat and files seldom change. */
function presentCount({ book, store, counts }: Held, mask: Mask): number {
  const paths = book.count()
  const state = `${store.version()}:${store.count()}:${paths}`
  const cachedCount = counts.get(mask)
  if (cachedCount?.state === state) return cachedCount.count
  const present = store.present()
  let count = 0
  for (let id = 0; id < paths; id++) count += (present[id] as number) & (mask[id] as number)
  counts.set(mask, { state, count })
  return count
}

const failureOf = ({ code, message, hint, details }: SearchEnd & { readonly how: 'failed' }): ToolError =>
  new ToolError(code as Code, message, {
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details: details as Record<string, unknown> }),
  })
