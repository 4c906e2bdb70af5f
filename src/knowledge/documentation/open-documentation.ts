import { ToolError } from '../../kernel/error.ts'
import type { WebEngine } from '../../machine/web/types.ts'
import { addressesOf, FRESH_MINUTES, sourcesOf } from '../../kernel/documentation-sources.ts'
import type { DocumentationHolder } from './documentation-holder.ts'
import type { InstalledDocumentation } from './installed/open-installed.ts'
import { mergeHits, type MergedHit } from './merge-hits.ts'
import { askSource, type OnlineParts } from './online/ask-source.ts'
import { withoutPrivate } from './online/private-text.ts'
import { requestTo, type KeyParts } from './online/source-request.ts'
import { failedSource, nothingFound, notInstalled } from './source-failure.ts'
import type { DocumentationSource } from '../../kernel/documentation-sources.ts'
import type { DocumentationEngine, DocumentationHit, DocumentationQuestion, SourceAnswer } from './types.ts'

/** What one call may search with. */
interface DocumentationParts extends KeyParts {
  readonly holder: DocumentationHolder
  /** Reaches only what the call claimed. */
  readonly web: WebEngine
  /** Stores a text and returns its id. */
  readonly store: (text: string) => string
  /** Directories of this machine whose names must not leave it. */
  readonly places: readonly string[]
  mayRead(path: string): boolean
  /** Removes secrets from a text. */
  hide(text: string): string
  /** Answers must be reproducible: nothing continues later, and no age is shown. */
  readonly sameAgain: boolean
}

/** A source of the network gets this long. */
const ONE_SOURCE_MS = 1_200
/** All together get this much more, as long as they are not told otherwise 1.7 s. */
const REST_MS = 500
const CANDIDATES = 20

/** Opens documentation search for one call. */
export function openDocumentation(parts: DocumentationParts): DocumentationEngine {
  const { settings, store, sameAgain } = parts
  return {
    async search(question, signal) {
      const sources = sourcesOf(settings, question.sources)
      // The time of a source is for its answer, not for loading our own code.
      if (sources.some(source => source !== 'installed')) await import('../../machine/web/fetch.ts')
      const { sourceMs = ONE_SOURCE_MS } = question
      const allMs = sourceMs + REST_MS
      const startedAt = Date.now()
      const answers = await Promise.all(
        sources.map(source => {
          const isLocal = source === 'installed' || source === 'devdocs'
          const rest = startedAt + allMs - Date.now()
          const ms = Math.max(isLocal ? question.patienceMs + 300 : 0, Math.min(sourceMs, rest))
          return answerWithin(ms, source, within => answerOf(source, question, within), signal)
        }),
      )
      const successes = answers.flatMap(each => ('found' in each ? [each] : []))
      const failures = answers.flatMap(each => ('found' in each ? [] : [each]))
      const notes = successes.flatMap(({ note }) => (note === undefined ? [] : [note]))
      const hits = mergeHits(question.query, successes)
      if (successes.length === 0 || (hits.length === 0 && question.needsHit))
        throw nothingFound(question.query, failures, notes)
      return {
        hits: hits.slice(0, question.limit).map(hit => withReference(hit, { store, sameAgain })),
        total: hits.length,
        failed: failures,
        notes,
      }
    },
  }

  async function answerOf(
    source: DocumentationSource,
    question: DocumentationQuestion,
    signal: AbortSignal,
  ): Promise<SourceAnswer> {
    const { query } = question
    if (source === 'installed') return searchInstalled(question, signal)
    const online: OnlineParts = {
      ...parts,
      ...parts.holder.online(),
      freshMs: (settings.cacheMinutes ?? FRESH_MINUTES) * 60_000,
      requestMs: question.sourceMs ?? ONE_SOURCE_MS,
    }
    // Whole documents are fetched and searched here, so the query does not leave the machine.
    if (source === 'devdocs') {
      const { docs } = settings.devdocs ?? {}
      const call = { ...online, addresses: addressesOf(settings), docs, limit: CANDIDATES }
      return parts.holder.devdocs().search(query, { ...call, patienceMs: question.patienceMs })
    }
    const safeQuery = withoutPrivate(parts.hide(query), parts)
    if (safeQuery.length < 2)
      throw new ToolError('unavailable', 'Nothing is left of the query once secrets and private paths are removed', {
        hint: 'Write the query without them',
      })
    return askSource(await requestTo(source, safeQuery, parts), online, signal)
  }

  async function searchInstalled(question: DocumentationQuestion, signal: AbortSignal): Promise<SourceAnswer> {
    const documentation = parts.holder.installed()
    const patienceMs = sameAgain ? Infinity : question.patienceMs
    await waitForIndex(documentation, { ...question, patienceMs }, signal)
    const names = question.package === undefined ? undefined : documentation.names()
    if (names && question.package !== undefined && !names.includes(question.package))
      throw notInstalled(question.package, [...new Set(names)])
    const sections = documentation.search({
      query: question.query,
      package: question.package,
      limit: CANDIDATES,
      wants: parts.mayRead,
    })
    return {
      found: sections.map(({ package: name, version, path, line, heading, body, kind }) => ({
        title: `${name} ${version}${heading === '' ? '' : `: ${heading}`}`,
        text: body,
        package: name,
        version,
        path,
        line,
        isVerbatim: kind !== 'comment',
        heading,
      })),
      ...noteOn(documentation),
    }
  }
}

/** Returns what is missing in the index. */
function noteOn(documentation: InstalledDocumentation): Pick<SourceAnswer, 'note'> {
  const progress = documentation.progress()
  if (progress) {
    const { done, of, begun } = progress
    const parts = begun.slice(0, 3).map(({ name, file, files }) => `${file} of ${files} files of ${name}`)
    const more = parts.length > 0 ? `, and ${parts.join(', ')}` : ''
    return { note: `Only ${done} of ${of} packages are indexed so far${more}; ask again for the rest` }
  }
  const names = documentation.names()
  if (!names) return { note: 'The installed packages are not listed yet; ask again' }
  return names.length === 0 ? { note: 'No packages are installed here: no node_modules, no virtual environment' } : {}
}

/** Stores the text of a hit that is in no file of the workspace. */
function withReference(
  { whole, ageSeconds, ...hit }: MergedHit,
  { store, sameAgain }: Pick<DocumentationParts, 'store' | 'sameAgain'>,
): DocumentationHit {
  return {
    ...hit,
    ...(ageSeconds !== undefined && !sameAgain && { ageSeconds }),
    ...(whole !== undefined && { ref: `ref:${store(whole)}` }),
  }
}

/** Waits until the index is up to date, as long as the caller wants, and reports how far it is. */
async function waitForIndex(
  documentation: InstalledDocumentation,
  { patienceMs, onProgress }: Pick<DocumentationQuestion, 'patienceMs' | 'onProgress'>,
  signal: AbortSignal,
): Promise<void> {
  const ready = documentation.refresh()
  const progressTimer = setInterval(() => {
    const progress = documentation.progress()
    if (progress) onProgress?.(`Indexing installed documentation: ${progress.done} of ${progress.of} packages`)
  }, 500)
  const late = Promise.withResolvers<void>()
  const timer = patienceMs === Infinity ? undefined : setTimeout(late.resolve, patienceMs)
  signal.addEventListener('abort', () => late.resolve(), { once: true })
  try {
    await Promise.race([ready, late.promise])
  } finally {
    clearInterval(progressTimer)
    clearTimeout(timer)
    // It goes on; a later search meets its failure again.
    ready.catch(() => {})
  }
}

type Asked = (SourceAnswer & { readonly source: DocumentationSource }) | ReturnType<typeof failedSource>

/** Returns the answer of a source, or its failure once the time is over. */
async function answerWithin(
  ms: number,
  source: DocumentationSource,
  ask: (signal: AbortSignal) => Promise<SourceAnswer>,
  signal: AbortSignal,
): Promise<Asked> {
  const late = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => {
      const error = new ToolError('timeout', `It did not answer in ${ms / 1000} seconds`)
      reject(error)
      late.abort(error)
    },
    Math.min(ms, 2 ** 31 - 1),
  )
  const both = AbortSignal.any([signal, late.signal])
  try {
    return { source, ...(await Promise.race([ask(both), over])) }
  } catch (error) {
    signal.throwIfAborted()
    // The caller named a package that does not exist: no other source answers for it.
    if (source === 'installed' && error instanceof ToolError && error.code === 'not_found') throw error
    return failedSource(source, error)
  } finally {
    clearTimeout(timer)
    over.catch(() => {})
  }
}
