import { plainText } from '../../machine/web/html/plain-text.ts'
import type { Section } from './section-types.ts'

const LONGEST_BODY = 8_000
const LONGEST_PAGE = 2 * 1024 * 1024

/** Returns the entries of a DevDocs documentation with their texts, each from its anchor to the next. */
export function devdocsSections(index: unknown, pages: unknown): readonly Section[] {
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
