/** Indentation of one line in the given text and in the file. */
export interface Indents {
  readonly given: string
  readonly file: string
}

/**
 * Learns the mapping from a given text's indentation to the file's from their common lines. Returns undefined if the
 * lines disagree; the mapping returns undefined for an indentation that it cannot derive. Nothing is guessed.
 */
export function reindent(
  lines: readonly Indents[],
  addedIndents: readonly string[],
  unit: string,
): ((indent: string) => string | undefined) | undefined {
  if (lines.every(({ given, file }) => given === file)) return indent => indent
  const givenCharacter = characterOf([...lines.map(line => line.given), ...addedIndents])
  const fileCharacter = characterOf(lines.map(line => line.file))
  const file = fileCharacter === '' ? characterOf([unit]) || givenCharacter : fileCharacter
  if (givenCharacter === undefined || file === undefined) return shift(lines)
  const points = lines.map(line => ({ x: line.given.length, y: line.file.length }))
  const line = lineThrough(points) ?? parallel(points, slopeFor(givenCharacter, file, addedIndents, unit, points))
  if (
    !line ||
    !isStep(givenCharacter === file, line.a) ||
    points.some(({ x, y }) => Math.abs(line.a * x + line.b - y) > 1e-9)
  )
    return undefined
  return indent => {
    const exact = line.a * indent.length + line.b
    const length = Math.round(exact)
    return Math.abs(exact - length) < 1e-9 && length >= 0 ? (file || ' ').repeat(length) : undefined
  }
}

interface Line {
  readonly a: number
  readonly b: number
}
interface Point {
  readonly x: number
  readonly y: number
}

/** Returns the only character of these indentations: empty if all are empty, undefined if mixed. */
function characterOf(indents: readonly string[]): '' | ' ' | '\t' | undefined {
  const indentCharacters = new Set(indents.join(''))
  if (indentCharacters.size === 0) return ''
  if (indentCharacters.size > 1) return undefined
  return indentCharacters.has('\t') ? '\t' : indentCharacters.has(' ') ? ' ' : undefined
}

/** Mixed tabs and blanks: only a common prefix that is added or missing. */
function shift(lines: readonly Indents[]): ((indent: string) => string | undefined) | undefined {
  const [first] = lines
  if (!first) return undefined
  const more = first.file.slice(0, first.file.length - first.given.length)
  if (lines.every(({ given, file }) => file === more + given)) return indent => more + indent
  const less = first.given.slice(0, first.given.length - first.file.length)
  if (!lines.every(({ given, file }) => given === less + file)) return undefined
  return indent => (indent.startsWith(less) ? indent.slice(less.length) : undefined)
}

/** Returns the unique rising line through all points, if two of them differ. */
function lineThrough(points: readonly Point[]): Line | undefined {
  const [first] = points
  const other = points.find(({ x }) => x !== first?.x)
  if (!first || !other) return undefined
  const a = (other.y - first.y) / (other.x - first.x)
  const b = first.y - a * first.x
  return { a, b }
}

function parallel(points: readonly Point[], a: number | undefined): Line | undefined {
  const [first] = points
  return first && a !== undefined ? { a, b: first.y - a * first.x } : undefined
}

/** Indentation in blanks may only double or halve; any other factor means a different text. */
const isStep = (same: boolean, a: number): boolean =>
  same
    ? [0.25, 0.5, 1, 2, 4].includes(a)
    : [1, 2, 3, 4, 8].some(width => Math.abs(a - width) < 1e-9 || Math.abs(a - 1 / width) < 1e-9)

/** Ratio for a single level: the file's characters per character of the given text. */
function slopeFor(
  given: string,
  file: string,
  added: readonly string[],
  unit: string,
  [point]: readonly Point[],
): number | undefined {
  if (given === file || given === '' || !point) return 1
  if (point.x > 0 && point.y > 0) return point.y / point.x
  if (given === '\t') return unit.startsWith(' ') ? unit.length : 4
  const steps = added.map(indent => Math.abs(indent.length - point.x)).filter(step => step > 0)
  return 1 / steps.reduce((one, other) => Math.min(one, other), steps[0] ?? 1)
}
