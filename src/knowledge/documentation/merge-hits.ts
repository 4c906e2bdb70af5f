import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import { coverage, queryWords } from './query-words.ts'
import type { DocumentationSource } from '../../kernel/documentation-sources.ts'
import type { DocumentationHit, Found, SourceAnswer } from './types.ts'

const LONGEST_TEXT = 700
const LONGEST_TITLE = 160

/** A hit before the limit, with the text that no address leads to. */
export interface MergedHit extends DocumentationHit {
  readonly whole?: string
}

/**
 * Merges the answers of several sources into one ranking. A hit is relevant by the words of the question that it
 * contains, by its rank in its source, and by that source's judgement. The same place counts once.
 */
export function mergeHits(
  query: string,
  answers: readonly (SourceAnswer & { readonly source: DocumentationSource })[],
): readonly MergedHit[] {
  const words = queryWords(query)
  const all = answers.flatMap(({ source, found, ageSeconds }) => {
    const relevance = found.map((each, rank) => relevanceOf(each, words, rank))
    return found.map((each, rank): MergedHit => ({
      ...hitOf(each, words),
      source,
      // Our own index has weighed more than the words of a passage: its order holds.
      relevance: isOwnIndex(source) ? Math.max(...relevance.slice(rank)) : (relevance[rank] ?? 0),
      ...(ageSeconds !== undefined && { ageSeconds }),
    }))
  })
  const best = new Map<string, MergedHit>()
  for (const hit of all.toSorted((one, other) => other.relevance - one.relevance)) {
    const key = placeOf(hit)
    if (!best.has(key)) best.set(key, hit)
  }
  return [...best.values()]
}

const isOwnIndex = (source: DocumentationSource): boolean => source === 'installed' || source === 'devdocs'

function hitOf(
  { quality: _quality, title, text, heading, line, isVerbatim, url, ...more }: Found,
  words: readonly string[],
) {
  const excerpt = excerptOf(text, words, LONGEST_TEXT)
  return {
    ...more,
    title: sanitize(title, { max: LONGEST_TITLE }),
    text: excerpt.text,
    ...(url !== undefined && { url: sanitize(url, { max: 2_000 }) }),
    ...(heading !== undefined && { heading: sanitize(heading, { max: LONGEST_TITLE }) }),
    ...(line !== undefined && { line: line + (isVerbatim ? excerpt.skipped : 0) }),
  }
}

function relevanceOf({ title, text, quality = 0.5 }: Found, words: readonly string[], rank: number): number {
  const relevance =
    0.5 * coverage(words, `${title} ${text}`) + 0.15 * coverage(words, title) + 0.25 / (1 + 0.3 * rank) + 0.1 * quality
  return Math.round(Math.min(1, Math.max(0, relevance)) * 1_000) / 1_000
}

/** Returns a text that two hits share if they lead to the same place. */
function placeOf({ source, url, path, line, title }: MergedHit): string {
  const target = url === undefined ? null : URL.parse(url)
  if (!target) return `${path}:${line} ${title}`
  const host = target.hostname.replace(/^www\./, '')
  const [, question] = /^\/(?:questions|q)\/(\d+)/.exec(target.pathname) ?? []
  if (question !== undefined) return `${host} question ${question}`
  return `${host}${target.pathname.replace(/\/+$/, '')}${source === 'devdocs' ? target.hash : ''}`
}

const LONGEST_LINE = 400

/** A passage of a foreign text that a terminal and a model can only read. */
interface Excerpt {
  readonly text: string
  /** Lines before it. */
  readonly skipped: number
}

/** Returns the passage with the most of these words, at most this long, cut at lines. */
function excerptOf(text: string, words: readonly string[], most: number): Excerpt {
  const lines = text.split('\n')
  let best = { share: -1, from: 0 }
  for (const from of lines.keys()) {
    // Only where a paragraph or an item begins.
    if (from > 0 && lines[from - 1]?.trim() !== '' && !/^\s*([-*+#|]|\d+\.)/.test(lines[from] ?? '')) continue
    const share = coverage(words, windowAt(lines, from, most))
    if (share > best.share) best = { share, from }
    if (text.length <= most) break
  }
  return { text: displayText(windowAt(lines, best.from, most)), skipped: best.from }
}

/** Control characters become visible escapes, and long lines lose their middle. */
const displayText = (text: string): string =>
  sanitizeBlock(text.replaceAll('\t', '  '), { max: LONGEST_LINE }).trimEnd()

function windowAt(lines: readonly string[], from: number, most: number): string {
  let [to, size] = [from, 0]
  while (to < lines.length && (to === from || size + (lines[to]?.length ?? 0) <= most))
    size += (lines[to++]?.length ?? 0) + 1
  const text = lines.slice(from, to).join('\n')
  return text.length > 2 * most ? text.slice(0, 2 * most) : text
}
