import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { readTarget } from '../../kernel/target.ts'
import { attempt } from '../../machine/state/cache-database.ts'
import { makePrivateDirectory, writePrivateFile } from '../../machine/state/private-file.ts'
import type { Addresses } from '../../kernel/documentation-sources.ts'
import type { Indexer } from './indexer.ts'
import { jsonOf, listIn, numberOf, retryAfter, textOf, type OnlineParts } from './online/ask-source.ts'
import { openSectionStore, type SectionStore } from './section-store.ts'
import { limitError } from './source-failure.ts'
import type { SourceAnswer } from './types.ts'
import { usualDocs } from './usual-docs.ts'

/** Documentations of DevDocs, kept on disk and searched there once they are fetched. */
export interface Devdocs {
  search(query: string, call: DevdocsCall): Promise<SourceAnswer>
  close(): void
}

interface DevdocsCall extends Pick<OnlineParts, 'web' | 'limits' | 'now'> {
  readonly addresses: Addresses
  /** Slugs such as `node` or `python~3.13`; default: by the languages and dependencies of the workspace. */
  readonly docs: readonly string[] | undefined
  readonly limit: number
  /** How long to wait for downloads, which continue afterwards. */
  readonly patienceMs: number
}

interface DevdocsParts {
  readonly root: string
  readonly directory: string
  readonly indexer: Indexer
  /** Ends downloads. */
  readonly closed: AbortSignal
}

/** One documentation as `docs.json` lists it. */
interface Listed {
  readonly slug: string
  readonly release: string
  readonly mtime: number
  readonly size: number
}

const WEEK = 7 * 86_400_000
const DOWNLOAD_MS = 120_000
const MOST_BYTES = 96 * 1024 * 1024

export function openDevdocs({ root, directory, indexer, closed }: DevdocsParts): Devdocs {
  const file = join(directory, 'devdocs.sqlite')
  const downloads = new Map<string, Promise<void>>()
  let store: SectionStore | undefined
  const openStore = (): SectionStore | undefined => {
    attempt(() => makePrivateDirectory(directory))
    return (store ??= openSectionStore(file))
  }
  return {
    async search(query, call) {
      const sectionStore = openStore()
      if (!sectionStore) throw new ToolError('unavailable', 'The index of DevDocs cannot be opened')
      const catalogue = await loadCatalogue(call)
      const docs = usualDocs(root, catalogue, call.docs)
      if (docs.length === 0) throw nothingWanted(call.docs)
      const missing = docs.filter(({ slug, mtime }) => sectionStore.packages().get(slug) !== String(mtime))
      const problem = await atMost(call.patienceMs, Promise.all(missing.map(each => download(each, call))))
      const late = missing.filter(({ slug, mtime }) => sectionStore.packages().get(slug) !== String(mtime))
      const slugs = new Set(docs.map(({ slug }) => slug))
      if (problem && late.length === docs.length) throw problem
      const results = sectionStore.search({ query, limit: call.limit * 4, wants: () => true })
      return {
        found: results
          .filter(each => slugs.has(each.package))
          .slice(0, call.limit)
          .map(({ package: slug, version, heading, body, path }) => ({
            title: `${heading} (${slug} ${version})`.replace(' )', ')'),
            text: body,
            whole: body,
            url: `${call.addresses.devdocs}/${slug}/${path}`,
            package: slug,
            version,
            heading,
          })),
        ...(late.length > 0 && {
          note: `DevDocs: ${late.map(({ slug }) => slug).join(', ')} not yet fetched; ask again`,
        }),
      }
    },
    close: () => store?.close(),
  }

  /** Returns what there is, from disk for a week, and from an old list if DevDocs does not answer. */
  async function loadCatalogue(call: DevdocsCall): Promise<readonly Listed[]> {
    const catalogueFile = join(directory, 'devdocs.json')
    const age = call.now() - (statSync(catalogueFile, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    const old = age < Infinity ? attempt(() => catalogueIn(readFileSync(catalogueFile, 'utf8'))) : undefined
    if (old && age < WEEK) return old
    try {
      const content = await fetchPage(`${call.addresses.devdocs}/docs.json`, call, AbortSignal.timeout(1_200))
      const list = catalogueIn(content)
      if (!list) throw broken('its list of documentations cannot be read')
      writePrivateFile(catalogueFile, content)
      return list
    } catch (error) {
      if (old) return old
      throw error
    }
  }

  function download(doc: Listed, call: DevdocsCall): Promise<void> {
    const running = downloads.get(doc.slug) ?? fetchDocumentation(doc, call).finally(() => downloads.delete(doc.slug))
    downloads.set(doc.slug, running)
    return running
  }

  async function fetchDocumentation({ slug, release, mtime }: Listed, call: DevdocsCall): Promise<void> {
    const folder = join(directory, 'devdocs', slug)
    const signal = AbortSignal.any([closed, AbortSignal.timeout(DOWNLOAD_MS)])
    const [index, pages] = await Promise.all(
      ['index.json', 'db.json'].map(name =>
        fetchPage(`${call.addresses.devdocsDocuments}/${slug}/${name}?${mtime}`, call, signal),
      ),
    )
    if (!jsonOf(index ?? '') || !jsonOf(pages ?? '')) throw broken(`the documentation of ${slug} cannot be read`)
    makePrivateDirectory(folder)
    const files = { index: join(folder, 'index.json'), pages: join(folder, 'db.json') }
    writePrivateFile(files.index, index ?? '')
    writePrivateFile(files.pages, pages ?? '')
    const packageEntry = { key: slug, name: slug, version: release, stamp: String(mtime), direct: true }
    await indexer.index({ kind: 'devdocs', store: file, package: packageEntry, ...files }).catch((cause: unknown) => {
      throw broken(`the documentation of ${slug} cannot be indexed`, cause)
    })
  }
}

async function fetchPage(url: string, { web, limits, now }: DevdocsCall, signal: AbortSignal): Promise<string> {
  const place = `devdocs ${readTarget(url).origin}`
  const until = limits.until(place)
  if (until > 0) throw limitError('DevDocs', until)
  const page = await web.fetch({ url, as: 'raw', timeoutMs: DOWNLOAD_MS, maxBytes: MOST_BYTES }, signal).catch(late)
  const next = retryAfter({ status: page.status, headers: page.headers, body: undefined, now: now() })
  if (next !== undefined) {
    limits.note(place, next)
    throw limitError('DevDocs', next)
  }
  if (page.status !== 200) throw broken(`answered with status ${page.status}`)
  if (page.truncated) throw broken('broke off in the middle of its answer, or sent too much')
  return page.content

  /** The timer of this request, not the caller, ended it. */
  function late(cause: unknown): never {
    throw cause instanceof ToolError && cause.code === 'cancelled'
      ? new ToolError('timeout', 'DevDocs did not answer in time', { hint: 'Ask again later', cause })
      : cause
  }
}

function catalogueIn(content: string): readonly Listed[] | undefined {
  return listIn(jsonOf(content))
    ?.map(each => ({
      slug: textOf(each['slug']),
      release: textOf(each['release']),
      mtime: numberOf(each['mtime']),
      size: numberOf(each['db_size']),
    }))
    .filter(({ slug }) => /^[a-z0-9_][a-z0-9_.~-]{0,80}$/.test(slug))
}

/** Waits for work, but not longer than this. Returns why it failed, if it did so in this time. */
async function atMost(ms: number, work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>(resolve => (timer = setTimeout(() => resolve(undefined), ms)))
  const outcome = work.then(
    () => undefined,
    (error: unknown) => error,
  )
  return Promise.race([outcome, over]).finally(() => clearTimeout(timer))
}

const nothingWanted = (docs: readonly string[] | undefined): ToolError =>
  new ToolError(
    'unavailable',
    docs ? `DevDocs has none of ${docs.join(', ')}` : 'DevDocs has nothing for this workspace',
    {
      hint: 'Name documentations in `documentation.devdocs.docs` of your configuration, as devdocs.io writes them in addresses',
    },
  )

const broken = (what: string, cause?: unknown): ToolError =>
  new ToolError('io', `DevDocs: ${what}`, { hint: 'Ask again later', ...(cause !== undefined && { cause }) })
