import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { Indexed, IndexJob } from './indexer.ts'
import { openSectionStore, type SectionStore } from './section-store.ts'
import type { Position, Section } from './section-types.ts'
import { readSections } from './installed/read-sections.ts'
import { plainText } from '../../machine/web/html/plain-text.ts'

const LONGEST_BODY = 8_000
const LONGEST_PAGE = 2 * 1024 * 1024

/** Returns the entries of a DevDocs documentation with their texts, each from its anchor to the next. */
function devdocsSections(index: unknown, pages: unknown): readonly Section[] {
  const { entries } = Object(index)
  if (!Array.isArray(entries)) throw new Error('the index of the documentation has no entries')
  const byPage = Map.groupBy(entries.map(entryOf), ({ page }) => page)
  return [...byPage].flatMap(([page, own]) => {
    const html = Object.hasOwn(Object(pages), page) ? Object(pages)[page] : undefined
    return typeof html === 'string' ? sectionsOf(html.slice(0, LONGEST_PAGE), own) : []
  })
}

interface Entry {
  readonly name: string
  readonly type: string
  readonly path: string
  readonly page: string
  readonly anchor: string
}

function entryOf(entry: unknown): Entry {
  const { name, path, type } = Object(entry)
  const [page = '', anchor = ''] = String(path).split('#')
  return { name: String(name), type: typeof type === 'string' ? type : '', path: String(path), page, anchor }
}

function sectionsOf(html: string, entries: readonly Entry[]): readonly Section[] {
  const anchors = new Map([...html.matchAll(/\sid="([^"]{1,300})"/g)].map(found => [found[1], found.index]))
  const entryPlaces = entries
    .map(entry => ({ entry, at: entry.anchor === '' ? 0 : startOf(html, anchors.get(entry.anchor)) }))
    .toSorted((one, other) => one.at - other.at)
  return entryPlaces.map(({ entry, at }) => {
    const end = entryPlaces.find(other => other.at > at)?.at ?? html.length
    return {
      path: entry.path,
      line: 0,
      heading: [entry.type, entry.name].filter(Boolean).join(' › '),
      kind: 'page',
      body: plainText(html.slice(at, end)).slice(0, LONGEST_BODY),
    }
  })
}

/** The element that carries the anchor begins before it. */
const startOf = (html: string, at: number | undefined): number =>
  at === undefined ? 0 : Math.max(0, html.lastIndexOf('<', at))

const START: Position = { file: 0, section: 0, size: 0 }
/** What one transaction writes: some 50 ms, which is also what is lost if the process ends. */
const MOST_SECTIONS = 100
const MOST_TEXT = 200_000

/** Reads a package on from where it is, until it is whole or its time is over. Every part that was read is stored. */
function indexPart(store: SectionStore, job: Extract<IndexJob, { kind: 'files' }>): Indexed {
  const { package: of, root, files, sliceMs } = job
  const until = Date.now() + sliceMs
  // Another process may have been faster.
  if (store.packages().get(of.key) === of.stamp) return 'done'
  const unfinishedPart = store.unfinished().find(({ key, stamp }) => key === of.key && stamp === of.stamp)
  if (unfinishedPart && unfinishedPart.files !== undefined && unfinishedPart.files !== files.length)
    store.remove([of.key])
  if (!unfinishedPart || unfinishedPart.files !== files.length) store.begin(of)
  let from = unfinishedPart && unfinishedPart.files === files.length ? positionOf(unfinishedPart) : START
  let [part, size]: [Section[], number] = [[], 0]
  const isStored = from === START ? () => false : (section: Section) => store.has(of.key, section)
  for (const { section, next } of readSections(root, files, { from, isStored })) {
    if (section) part.push(section)
    size += section?.body.length ?? 0
    const isLate = Date.now() > until
    // A late one still fills its part or ends its file, because the next job reads the file again.
    if (part.length < MOST_SECTIONS && size < MOST_TEXT && !(isLate && !section)) continue
    if (!store.append(of, { files: files.length, from, sections: part, to: next })) return 'elsewhere'
    ;[from, part, size] = [next, [], 0]
    if (isLate) return 'more'
  }
  return store.append(of, { files: files.length, from, sections: part }) ? 'done' : 'elsewhere'
}

const positionOf = ({ file, section, size }: Position): Position => ({ file, section, size })

const stores = new Map<string, SectionStore | undefined>()

parentPort?.on('message', ({ id, job }: { readonly id: number; readonly job: IndexJob }) => {
  let result: Indexed | undefined
  let error: string | undefined
  try {
    result = perform(job)
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause)
  }
  parentPort?.postMessage({ id, result, error }, [])
})

function perform(job: IndexJob): Indexed {
  const store = stores.get(job.store) ?? openSectionStore(job.store)
  stores.set(job.store, store)
  if (!store) throw new Error('the index cannot be opened')
  if (job.kind === 'files') return indexPart(store, job)
  if (job.kind === 'finish') store.finish(job.package)
  else storePages(store, job)
  return 'done'
}

function storePages(store: SectionStore, job: Extract<IndexJob, { kind: 'devdocs' }>): void {
  const [index, pages] = [job.index, job.pages].map(file => JSON.parse(readFileSync(file, 'utf8')))
  store.replace(job.package, devdocsSections(index, pages))
}
