import { readdirSync } from 'node:fs'
import { mayImport } from '../../tests/architecture/levels.ts'
import { floors } from '../../tests/architecture/rooms.ts'
import { at } from '../root.mjs'

const [WIDTH, MARGIN, GAP, LINE] = [960, 20, 12, 17]
const CHARACTERS = 0.155

/** Draws the folders of src/ by level, highest first, with the rooms of each: a folder imports only from below. */
export function floorsPicture(): string {
  let y = MARGIN
  const rows = byLevel().map(parts => {
    const boxes = laidOut(parts, y)
    y += Math.max(...boxes.map(({ height }) => height)) + GAP
    return boxes.map(drawn).join('\n')
  })
  const height = y - GAP + MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">
  <title id="title">The floors of src/</title>
  <desc id="desc">Folders of src by level. A folder imports only from the levels below it.</desc>
  <style>
    .page { fill: #ffffff }
    .box { fill: #f6f8fa; stroke: #8b96a3; stroke-width: 1.2 }
    .name { fill: #1c2128; font-size: 15px; font-weight: 600 }
    .rooms { fill: #424a53; font-size: 12px }
  </style>
  <rect class="page" width="${WIDTH}" height="${height}"/>
${rows.join('\n')}
</svg>
`
}

/** Exports of the package. They and the surfaces import each other, so they have no level. */
const ENTRIES = ['index.ts', 'contracts.ts', 'mcp.ts', 'documents']

/** The level of a folder is one above the highest that it may import. */
function byLevel(): readonly (readonly string[])[] {
  const parts = Object.keys(mayImport).filter(part => !ENTRIES.includes(part))
  const levelOf = (part: string): number =>
    1 + Math.max(0, ...(mayImport[part] ?? []).filter(other => parts.includes(other)).map(levelOf))
  const groups = Map.groupBy(parts, levelOf)
  return [ENTRIES, ...[...groups].toSorted(([one], [other]) => other - one).map(([, level]) => level)]
}

interface Box {
  readonly part: string
  readonly lines: readonly string[]
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function laidOut(parts: readonly string[], y: number): readonly Box[] {
  const width = (WIDTH - 2 * MARGIN - GAP * (parts.length - 1)) / parts.length
  const texts = parts.map(part => wrapped(roomsOf(part), width * CHARACTERS))
  const height = 34 + LINE * Math.max(...texts.map(lines => lines.length))
  return parts.map((part, place) => ({
    part,
    lines: texts[place] ?? [],
    x: MARGIN + place * (width + GAP),
    y,
    width,
    height,
  }))
}

/** The rooms in their listed order, or else the folders. */
function roomsOf(part: string): readonly string[] {
  if (part.endsWith('.ts')) return []
  const listed = floors[`src/${part}`]
  const rooms = listed
    ? Object.keys(listed)
    : readdirSync(at('src', part), { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted()
  return rooms.filter(room => !room.endsWith('.ts'))
}

function wrapped(words: readonly string[], most: number): readonly string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 3 <= most) lines[lines.length - 1] = `${last} · ${word}`
    else lines.push(word)
  }
  return lines
}

function drawn({ part, lines, x, y, width, height }: Box): string {
  const text = (className: string, top: number, what: string) =>
    `  <text class="${className}" x="${round(x + 12)}" y="${round(y + top)}">${what}</text>`
  return [
    `  <rect class="box" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="6"/>`,
    text('name', 23, part),
    ...lines.map((line, place) => text('rooms', 42 + LINE * place, line)),
  ].join('\n')
}

const round = (value: number): number => Math.round(value * 10) / 10
