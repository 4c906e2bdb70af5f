import { sanitizeBlock } from '../../kernel/sanitize.ts'
import { coverage } from './query-words.ts'

const LONGEST_LINE = 400

/** A passage of a foreign text that a terminal and a model can only read. */
interface Excerpt {
  readonly text: string
  /** Lines before it. */
  readonly skipped: number
}

/** Returns the passage with the most of these words, at most this long, cut at lines. */
export function excerptOf(text: string, words: readonly string[], most: number): Excerpt {
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
