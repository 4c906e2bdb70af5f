interface Sought {
  readonly wanted: readonly string[]
  readonly from: number
  /** Lines before the place, outermost first. */
  readonly anchors: readonly string[]
  readonly atEnd: boolean
}

export interface Places {
  /** Two suffice to know that there are several. */
  readonly places: readonly number[]
  readonly missingAnchor?: string
}

/**
 * Returns the places of a text after its anchors. An anchor is the first line of a function, class or section: a place
 * inside its block takes precedence over one merely after it.
 */
export function anchoredPlaces(lines: readonly string[], sought: Sought): Places {
  const { wanted, anchors, atEnd } = sought
  if (wanted.length === 0) return insertionPlaces(lines, sought)
  if (atEnd) {
    const at = lines.length - wanted.length
    return { places: at >= sought.from && isAt(lines, at, wanted) ? [at] : [] }
  }
  const blocks = anchoredBlocks(lines, sought.from, anchors)
  if (typeof blocks === 'string') return { places: [], missingAnchor: blocks }
  const inside = new Set<number>()
  for (const block of blocks) for (const at of placesIn(lines, block, wanted)) inside.add(at)
  if (inside.size > 0 || anchors.length === 0) return { places: [...inside].slice(0, 2) }
  const start = Math.min(...blocks.map(block => block.start))
  return { places: placesIn(lines, { start, end: lines.length }, wanted) }
}

interface Block {
  readonly start: number
  readonly end: number
}

/** Places for lines without context: after the anchor, at the end if requested, or in an empty file. */
function insertionPlaces(lines: readonly string[], { from, anchors, atEnd }: Sought): Places {
  if (atEnd || lines.length === 0) return { places: [lines.length] }
  const blocks = anchoredBlocks(lines, from, anchors)
  if (typeof blocks === 'string') return { places: [], missingAnchor: blocks }
  return { places: anchors.length === 0 ? [0, lines.length] : blocks.map(block => block.start + 1).slice(0, 2) }
}

const MOST_BLOCKS = 64

/** Returns the blocks that the innermost anchor begins, each within the outer anchors, or the missing anchor. */
function anchoredBlocks(lines: readonly string[], from: number, anchors: readonly string[]): Block[] | string {
  let blocks: Block[] = [{ start: from, end: lines.length }]
  for (const anchor of anchors) {
    const starts = new Set<number>()
    for (const { start, end } of blocks)
      for (let at = start; at < end && starts.size <= MOST_BLOCKS; at++)
        if (lines[at]?.trim() === anchor) starts.add(at)
    if (starts.size === 0) return anchor
    blocks = [...starts].slice(0, MOST_BLOCKS).map(start => ({ start, end: blockEnd(lines, start) }))
  }
  return blocks
}

/** A block continues while lines are blank or indented deeper, and includes its closing line. */
function blockEnd(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] ?? '')
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '' || indentOf(line) > indent) continue
    return /^\s*[)\]}]|^\s*end\b/.test(line) ? at + 1 : at
  }
  return lines.length
}

const indentOf = (line: string): number => line.search(/\S|$/)

/** Searches line by line in time linear in the text. */
function placesIn(lines: readonly string[], { start, end }: Block, wanted: readonly string[]): number[] {
  const fallback = failures(wanted)
  const places: number[] = []
  let matchLength = 0
  for (let at = start; at < end && places.length < 2; at++) {
    while (matchLength > 0 && lines[at] !== wanted[matchLength]) matchLength = fallback[matchLength - 1] ?? 0
    if (lines[at] === wanted[matchLength]) matchLength++
    if (matchLength < wanted.length) continue
    places.push(at + 1 - matchLength)
    matchLength = fallback[matchLength - 1] ?? 0
  }
  return places
}

/** Returns for each prefix the length of its longest proper border. */
function failures(wanted: readonly string[]): number[] {
  const table = [0]
  for (let at = 1, borderLength = 0; at < wanted.length; at++) {
    while (borderLength > 0 && wanted[at] !== wanted[borderLength]) borderLength = table[borderLength - 1] ?? 0
    if (wanted[at] === wanted[borderLength]) borderLength++
    table.push(borderLength)
  }
  return table
}

const isAt = (lines: readonly string[], at: number, wanted: readonly string[]): boolean =>
  at >= 0 && wanted.every((line, index) => lines[at + index] === line)
