import { ToolError } from '../../../kernel/error.ts'
import type { Applied, Hunk } from './patch-types.ts'
import { anchoredPlaces, type Places } from './anchored-places.ts'
import { bodyOf, endOf } from './byte-lines.ts'
import { createLineImage } from './line-image.ts'
import { misplacedHunk } from './misplaced-hunk.ts'
import { show } from '../../workspace/path.ts'

/**
 * Applies hunks that are located only by their text, one after another. Each place must be unique. Ignores line ends in
 * the comparison, preserves the bytes of kept lines, and ends new lines like their neighbours.
 */
export function applyByText(lines: readonly string[], hunks: readonly Hunk[], file: string): Applied {
  let current: readonly string[] = lines
  let from = 0
  let work = 0
  for (const [index, hunk] of hunks.entries()) {
    work += current.length + hunk.lines.length
    if (work > MOST_WORK)
      throw new ToolError('too_large', `Too many hunks for ${show(file)}`, { hint: 'Split the patch.' })
    const isOrdered = hunk.anchors !== undefined
    const at = placeOf(current, hunk, { from: isOrdered ? from : 0, file, index })
    const newLines = resultLines(current, hunk, at)
    const rest = at + oldSide(hunk).length
    current = [...current.slice(0, at), ...newLines, ...current.slice(rest)]
    from = at + newLines.length
  }
  const zeros = hunks.map(() => 0)
  return { bytes: Buffer.from(current.join(''), 'latin1'), offsets: zeros, fuzz: zeros }
}

const MOST_WORK = 50_000_000

const oldSide = (hunk: Hunk): string[] =>
  hunk.lines.filter(line => !line.startsWith('+')).map(line => bodyOf(line.slice(1)))

function placeOf(
  lines: readonly string[],
  hunk: Hunk,
  { from, file, index }: { readonly from: number; readonly file: string; readonly index: number },
): number {
  const oldLines = oldSide(hunk)
  const placement = anchoredPlaces(lines.map(bodyOf), {
    wanted: oldLines,
    from,
    anchors: hunk.anchors ?? [],
    atEnd: hunk.atEnd === true,
  })
  if (placement.places.length === 1 && placement.places[0] !== undefined) return placement.places[0]
  if (placement.places.length > 1) throw several(placement, hunk, file, index)
  if (placement.missingAnchor !== undefined)
    throw new ToolError('no_match', `Hunk ${index + 1} of ${show(file)}: no line is '${placement.missingAnchor}'`, {
      hint: 'Write the anchor after @@ exactly as the file has the line, or leave it out.',
      details: { file, hunk: index + 1, patchLine: hunk.at },
    })
  const side = (operation: string): string[] =>
    hunk.lines.filter(line => !line.startsWith(operation)).map(line => `${bodyOf(line.slice(1))}\n`)
  const image = createLineImage(lines.map(line => `${bodyOf(line)}\n`))
  throw misplacedHunk('absent', {
    image,
    file,
    hunk: index + 1,
    patchLine: hunk.at,
    before: side('+'),
    after: side('-'),
    expected: closest(lines, oldLines, from),
  })
}

const several = ({ places }: Places, hunk: Hunk, file: string, index: number): ToolError =>
  new ToolError('ambiguous', `Hunk ${index + 1} of ${show(file)} fits in more than one place`, {
    hint: 'Add lines around the change until it fits in one place only.',
    details: { file, hunk: index + 1, patchLine: hunk.at, lines: places.map(at => at + 1) },
  })

/** Returns the line of the first wanted text that the file contains: the best place to look. */
function closest(lines: readonly string[], wanted: readonly string[], from: number): number {
  const firstLineOf = new Map<string, number>()
  for (const [at, line] of lines.entries())
    if (at >= from && !firstLineOf.has(line.trim())) firstLineOf.set(line.trim(), at)
  for (const [index, line] of wanted.entries()) {
    const at = line.trim() === '' ? undefined : firstLineOf.get(line.trim())
    if (at !== undefined) return Math.max(0, at - index)
  }
  return from
}

/** Returns the resulting lines of the place. */
function resultLines(lines: readonly string[], hunk: Hunk, start: number): string[] {
  const result: string[] = []
  let at = start
  for (const line of hunk.lines) {
    if (line.startsWith('+')) result.push(bodyOf(line.slice(1)) + newEnd(lines, at))
    else if (line.startsWith('-')) at++
    else result.push(lines[at++] ?? '')
  }
  const endsBare = at >= lines.length && lines.length > 0 && endOf(lines.at(-1) ?? '') === ''
  if (!endsBare) return result
  // A file without a final line end still has none, whichever line is last now.
  return result.map((line, index) => {
    if (index === result.length - 1) return bodyOf(line)
    return endOf(line) === '' ? line + newEnd(lines, lines.length - 1) : line
  })
}

/** Returns the line end of the previous line, otherwise of the file's first line. */
function newEnd(lines: readonly string[], at: number): string {
  const before = endOf(lines[at - 1] ?? '')
  return before === '' ? endOf(lines[0] ?? '') || '\n' : before
}
