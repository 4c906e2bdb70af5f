import { sanitize } from '../../kernel/sanitize.ts'

interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

interface Drawn {
  readonly names: readonly string[]
  /** Pairs of positions in `names`: from, to. */
  readonly arrows: readonly (readonly [number, number])[]
}

/** Draws rows: the first column points at the second, the second at the third, and so on. */
export function graphPicture(rows: Rows, kind: 'mermaid' | 'svg'): string {
  const drawn = drawnOf(rows)
  return kind === 'svg' ? svg(drawn) : mermaid(drawn)
}

function drawnOf({ columns, rows }: Rows): Drawn {
  const names: string[] = []
  const places = new Map<string, number>()
  const arrows = new Map<string, readonly [number, number]>()
  for (const row of rows) {
    const cells = columns.map(column => nameOf(row[column])).filter(name => name !== undefined)
    for (const [at, name] of cells.entries()) {
      const place = placeOf(name)
      const before = cells[at - 1]
      if (before !== undefined) arrows.set(`${placeOf(before)} ${place}`, [placeOf(before), place])
    }
  }
  return { names, arrows: [...arrows.values()] }

  function placeOf(name: string): number {
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, names.length)
    return names.push(name) - 1
  }
}

/** Returns the name to draw for a value. Numbers such as lines are not drawn. */
function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return sanitize(value)
  return typeof value === 'object' && value !== null && 'id' in value ? sanitize(String(value.id)) : undefined
}

function mermaid({ names, arrows }: Drawn): string {
  const label = (name: string): string => name.replaceAll(/["<>&#\n\r]/g, each => `#${each.codePointAt(0)};`)
  return [
    'graph LR',
    ...names.map((name, at) => `  n${at}["${label(name)}"]`),
    ...arrows.map(([from, to]) => `  n${from} --> n${to}`),
  ].join('\n')
}

const [LETTER, HEIGHT, GAP, ACROSS] = [7.2, 28, 14, 70]

/** Arranges names in columns by their distance from those that nothing points at. */
function svg(drawn: Drawn): string {
  const { names, arrows } = drawn
  const depths = depthsOf(drawn)
  const widths: number[] = []
  for (const [at, name] of names.entries()) {
    const depth = depths[at] ?? 0
    widths[depth] = Math.max(widths[depth] ?? 0, name.length * LETTER + 16)
  }
  const lefts = widths.map((_, depth) => GAP + widths.slice(0, depth).reduce((sum, width) => sum + width + ACROSS, 0))
  const rows: number[] = []
  const boxes = names.map((name, at) => {
    const depth = depths[at] ?? 0
    const row = (rows[depth] = (rows[depth] ?? -1) + 1)
    return { name, x: lefts[depth] ?? 0, y: GAP + row * (HEIGHT + GAP), width: name.length * LETTER + 16 }
  })
  const width = Math.max(GAP, ...boxes.map(box => box.x + box.width)) + GAP
  const height = Math.max(GAP, ...boxes.map(box => box.y + HEIGHT)) + GAP
  const lines = arrows.flatMap(([from, to]) => {
    const [one, other] = [boxes[from], boxes[to]]
    if (!one || !other) return []
    const [x1, y1, x2, y2] = [one.x + one.width, one.y + HEIGHT / 2, other.x, other.y + HEIGHT / 2]
    const bend = Math.max(30, Math.abs(x2 - x1) / 2)
    return `<path d="M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="#888" marker-end="url(#tip)"/>`
  })
  const shapes = boxes.map(
    ({ name, x, y, width: wide }) =>
      `<rect x="${x}" y="${y}" width="${wide}" height="${HEIGHT}" rx="4" fill="#fff" stroke="#444"/>` +
      `<text x="${x + 8}" y="${y + 18}">${escaped(name)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="12">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#888"/></marker></defs>',
    ...lines,
    ...shapes,
    '</svg>',
  ].join('\n')
}

function depthsOf({ names, arrows }: Drawn): readonly number[] {
  const pointed = new Set(arrows.map(([, to]) => to))
  const depths: (number | undefined)[] = names.map((_, at) => (pointed.has(at) ? undefined : 0))
  for (let start = 0; start < names.length; start++) {
    // Names reachable only through a cycle start a new column.
    const open = depths.flatMap((depth, at) => (depth === undefined ? [] : [at]))
    for (let at = open.shift(); at !== undefined; at = open.shift())
      for (const [from, to] of arrows)
        if (from === at && depths[to] === undefined) {
          depths[to] = (depths[at] ?? 0) + 1
          open.push(to)
        }
    const left = depths.indexOf(undefined)
    if (left < 0) break
    depths[left] = 0
  }
  return depths.map(depth => depth ?? 0)
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
