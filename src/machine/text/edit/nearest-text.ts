import { plainLine, splitLines } from './plain-line.ts'

/** The lines of a file that are most similar to a text that was not found. */
interface Nearest {
  /** 1-based, inclusive. */
  readonly from: number
  readonly to: number
  readonly text: string
  /** 1 if only blanks around lines, typographic quotes or dashes differ. */
  readonly similarity: number
}

const CANDIDATES = 6
const LEAST = 0.5
const MOST_LINES = 400
const MOST_COMMON = 200
const MOST_TEXT = 4000
/** Limit of character comparisons over all candidates: some tens of milliseconds. */
const MOST_WORK = 6_000_000

/** Finds the nearest text with bounded work for any file size. */
export function nearestText(text: string, old: string): Nearest | undefined {
  const raw = splitLines(text)
  const lines = raw.map(plainLine)
  const wantedLines = trimBlank(splitLines(old).map(plainLine)).slice(0, MOST_LINES)
  if (wantedLines.length === 0 || lines.length === 0) return undefined
  const starts = [...byEqualLines(lines, wantedLines), ...bySimilarLine(lines, wantedLines)]
  const work: Work = { left: MOST_WORK }
  let best: { start: number; score: number } | undefined
  for (const start of new Set(starts)) {
    const score = scoreAt(lines, wantedLines, start, work)
    if (score >= LEAST && score > (best?.score ?? 0)) best = { start, score }
  }
  if (!best) return undefined
  const from = Math.max(best.start, 0)
  const to = Math.min(best.start + wantedLines.length, lines.length)
  return {
    from: from + 1,
    to,
    text: raw.slice(from, to).join('\n').slice(0, MOST_TEXT),
    similarity: Math.round(best.score * 100) / 100,
  }
}

/** Returns starts that many equal lines vote for; very common lines have no vote. */
function byEqualLines(lines: readonly string[], wanted: readonly string[]): number[] {
  const at = new Map<string, number[]>()
  for (const [i, line] of wanted.entries()) if (line.length > 2) at.set(line, [...(at.get(line) ?? []), i])
  const lineCounts = new Map<string, number>()
  const votes = new Map<number, number>()
  for (const [i, line] of lines.entries()) {
    const places = at.get(line)
    if (!places) continue
    const count = (lineCounts.get(line) ?? 0) + 1
    lineCounts.set(line, count)
    if (count > MOST_COMMON) continue
    for (const place of places) votes.set(i - place, (votes.get(i - place) ?? 0) + Math.min(line.length, 40))
  }
  return highest(votes)
}

/** Returns starts at lines that share the most character pairs with the longest line. */
function bySimilarLine(lines: readonly string[], wanted: readonly string[]): number[] {
  const anchor = wanted.reduce((best, line, i) => (line.length > (wanted[best]?.length ?? 0) ? i : best), 0)
  const line = (wanted[anchor] ?? '').slice(0, 300)
  const pairs = new Uint8Array(65_536)
  for (let i = 1; i < line.length; i++) pairs[pairAt(line, i)] = 1
  const scoresByStart = new Map<number, number>()
  let least = 0
  for (const [i, other] of lines.entries()) {
    if (other.length < 2) continue
    let hits = 0
    const length = Math.min(other.length, 600)
    for (let at = 1; at < length; at++) hits += pairs[pairAt(other, at)] ?? 0
    const score = (2 * hits) / (line.length + Math.min(length, 2 * line.length))
    if (score <= least) continue
    scoresByStart.set(i - anchor, score)
    if (scoresByStart.size > 64) least = keepHighest(scoresByStart)
  }
  return highest(scoresByStart)
}

const pairAt = (line: string, at: number): number => ((line.charCodeAt(at - 1) << 8) ^ line.charCodeAt(at)) & 0xffff

function keepHighest(scores: Map<number, number>): number {
  const bestScores = [...scores].toSorted((a, b) => b[1] - a[1]).slice(0, CANDIDATES)
  scores.clear()
  for (const [start, score] of bestScores) scores.set(start, score)
  return bestScores.at(-1)?.[1] ?? 0
}

const highest = (scores: ReadonlyMap<number, number>): number[] =>
  [...scores]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, CANDIDATES)
    .map(([start]) => start)

/** Returns the similarity of a window, with lines weighted by length. */
function scoreAt(lines: readonly string[], wanted: readonly string[], start: number, work: Work): number {
  let total = 0
  let score = 0
  for (const [i, line] of wanted.entries()) {
    const weight = Math.max(line.length, 1)
    total += weight
    score += weight * similarity(line, lines[start + i] ?? '', wanted.length === 1, work)
  }
  return score / total
}

function trimBlank(lines: string[]): string[] {
  const first = lines.findIndex(line => line !== '')
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(line => line !== '') + 1)
}

/** Remaining budget for comparisons; only decreases. */
interface Work {
  left: number
}

const LONGEST = 1000

/**
 * Returns the similarity of two lines, 0 to 1, by edit distance. As a part, `a` may occur anywhere inside `b`. Without
 * budget, unequal lines count as dissimilar.
 */
function similarity(a: string, b: string, part: boolean, work: Work): number {
  if (a === b) return 1
  if (a === '' || b === '') return 0
  const leftText = a.slice(0, LONGEST)
  const right = b.slice(0, LONGEST)
  work.left -= leftText.length * right.length
  if (work.left < 0) return 0
  const edits = distance(leftText, right, part)
  const longer = part ? leftText.length : Math.max(leftText.length, right.length)
  // A part is never as good as the whole line.
  return Math.max(0, 1 - edits / longer) * (part && edits === 0 ? 0.99 : 1)
}

function distance(a: string, b: string, part: boolean): number {
  let row = new Uint16Array(b.length + 1)
  let next = new Uint16Array(b.length + 1)
  if (!part) for (let j = 0; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    next[0] = i
    const code = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (code === b.charCodeAt(j - 1) ? 0 : 1)
      next[j] = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    const spare = row
    row = next
    next = spare
  }
  return part ? row.reduce((least, edits) => Math.min(least, edits)) : (row[b.length] ?? 0)
}
