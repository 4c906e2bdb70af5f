import { floors } from './rooms.ts'
import type { Module } from './module.ts'

/** Returns the number of lines of each room, without tests; where a floor has no rooms, of the floor. */
export function roomLines(modules: readonly Pick<Module, 'file' | 'lines'>[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  for (const module of modules) {
    const room = roomOf(module.file)
    if (room !== undefined) lines.set(room, (lines.get(room) ?? 0) + module.lines)
  }
  return new Map([...lines].toSorted(([one], [other]) => one.localeCompare(other, 'en')))
}

function roomOf(file: string): string | undefined {
  if (!file.startsWith('src/') || file.endsWith('.test.ts')) return undefined
  const [src, floor = '', room = ''] = file.split('/')
  if (floor.endsWith('.ts')) return 'src'
  const folder = `${src}/${floor}`
  const hasRooms = folder in floors || floor === 'contracts' || floor === 'surfaces'
  return hasRooms && !room.endsWith('.ts') ? `${folder}/${room}` : folder
}

/** One row of the table of bounds that rose: `lines of src/machine/process`. */
const ROW = /^\| lines of `(?<room>[^`]+)` +\| (?<from>[\d,]+) +\| (?<to>[\d,]+) +\| (?<reason>.+?) +\|$/gm

/** Returns the bounds as the page of decisions raised them. A row that does not begin at the bound before it raises nothing. */
export function raisedBounds(bounds: Readonly<Record<string, number>>, page: string): ReadonlyMap<string, number> {
  const raised = new Map(Object.entries(bounds))
  for (const { groups } of page.matchAll(ROW)) {
    const [room, from, to] = [groups?.['room'] ?? '', number(groups?.['from']), number(groups?.['to'])]
    if (from === (raised.get(room) ?? 0)) raised.set(room, to)
  }
  return raised
}

const number = (text = ''): number => Number(text.replaceAll(',', ''))

/** Names each room that is larger than its bound. A new room needs a row that begins at 0. */
export const overBounds = (
  lines: ReadonlyMap<string, number>,
  bounds: ReadonlyMap<string, number>,
): readonly string[] =>
  [...lines]
    .filter(([room, count]) => count > (bounds.get(room) ?? 0))
    .map(([room, count]) => `${room} has ${count} lines, ${bounds.get(room) ?? 0} are its bound`)

/** A fall of fewer lines does not have to be noted. */
const NOTED = 150

/** Names each room that has fallen far below its bound, which has to fall with it. */
export const looseBounds = (
  lines: ReadonlyMap<string, number>,
  bounds: ReadonlyMap<string, number>,
  building: ReadonlySet<string>,
): readonly string[] =>
  [...bounds]
    .filter(([room, bound]) => !building.has(room) && bound - (lines.get(room) ?? 0) > NOTED)
    .map(([room, bound]) => `${room} has ${lines.get(room) ?? 0} lines: lower its bound of ${bound}`)
