import { accessSync, closeSync, constants, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import type { StartGuard } from './types.ts'

/** One file of a program named by rules, as the sandbox shows it. */
export interface ProgramFile {
  /** Inside paths; several if its directory is shown at several places. */
  readonly places: readonly string[]
  /** Outside path. */
  readonly source: string
  /** Names that lead to it. */
  readonly names: readonly string[]
  /** Interpreter from its first line: a program and at most one argument. */
  readonly interpreter: readonly string[] | undefined
}

export interface ProgramPlaces {
  readonly path: string
  /** Shown directories besides /usr. */
  readonly visible: readonly string[]
  readonly root: string
}

const SYSTEM = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
/** Each program has a directory of helpers below these; git has a second copy of itself there. */
const HELPERS = ['/usr/lib', '/usr/libexec', '/usr/local/lib', '/usr/local/libexec']
const SHOWN = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** Depth at which program directories below a shown directory are searched: `.pyenv/versions/3.12/bin`. */
const DEEPEST = 4

/** Returns every visible file of these programs in any directory, including hard links. */
export function programFiles(
  { programs, programOf }: Pick<StartGuard, 'programs' | 'programOf'>,
  places: ProgramPlaces,
): readonly ProgramFile[] {
  const namesByFile = new Map<string, Set<string>>()
  const add = (file: string, name: string) => {
    const real = executable(file)
    if (real === undefined || insideOf(real, places).length === 0) return
    namesByFile.set(real, (namesByFile.get(real) ?? new Set()).add(name))
  }
  const listings = new Map<string, readonly string[]>()
  const namesOf = (directory: string) => {
    const names = listings.get(directory) ?? entries(directory)
    listings.set(directory, names)
    return names
  }
  const directories = [...new Set([...pathOf(places), ...SYSTEM, ...programDirectories(places.visible)])]
  const helpers = HELPERS.flatMap(top => namesOf(top).map(name => join(top, name)))
  for (const directory of directories)
    for (const entry of namesOf(directory)) {
      const name = programOf(entry)
      if (name !== undefined) add(join(directory, entry), name)
    }
  for (const directory of helpers) for (const name of programs) add(join(directory, name), name)
  for (const [real, names] of namesByFile)
    for (const other of hardLinks(real, [...directories, dirname(real)], namesOf))
      for (const name of names) add(other, name)
  return [...namesByFile].map(([source, names]) => ({
    places: insideOf(source, places),
    source,
    names: [...names],
    interpreter: interpreterOf(source),
  }))
}

const pathOf = ({ path }: ProgramPlaces): string[] => path.split(delimiter).filter(entry => entry.startsWith('/'))

function programDirectories(visible: readonly string[]): string[] {
  const below = (directory: string, depth: number): string[] => {
    if (/^(s?bin|shims)$/.test(basename(directory))) return [directory]
    if (depth === 0) return []
    return entries(directory, true)
      .filter(name => !SKIPPED.has(name))
      .flatMap(name => below(join(directory, name), depth - 1))
  }
  return visible.flatMap(place => [place, ...below(place, DEEPEST)])
}

/** Large directories without programs. */
const SKIPPED = new Set(['lib', 'lib64', 'libexec', 'share', 'include', 'node_modules', 'src', 'doc', 'docs', '.git'])

function entries(directory: string, onlyDirectories = false): string[] {
  try {
    const all = readdirSync(directory, { withFileTypes: true })
    return all.filter(entry => !onlyDirectories || entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}

/** A mount covers one name; another name of the same file needs its own mount. */
function hardLinks(real: string, directories: readonly string[], listed: (directory: string) => readonly string[]) {
  const { nlink, ino, dev } = statSync(real)
  if (nlink < 2) return []
  return directories
    .flatMap(directory => listed(directory).map(name => join(directory, name)))
    .filter(file => {
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats?.ino === ino && stats.dev === dev
    })
}

function executable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK)
    const real = realpathSync(file)
    return statSync(real).isFile() ? real : undefined
  } catch {
    return undefined
  }
}

/** Returns the inside paths of a file. Empty for a workspace file, since those change while commands run. */
function insideOf(real: string, { visible, root }: ProgramPlaces): string[] {
  if (isBelow(root, real)) return []
  const insidePaths = visible.flatMap(place => {
    const top = realpathSync(place)
    return isBelow(top, real) ? [place + real.slice(top.length)] : []
  })
  return SHOWN.some(place => isBelow(place, real)) ? [real, ...insidePaths] : insidePaths
}

const isBelow = (outer: string, path: string): boolean => path.startsWith(`${outer}/`)

const LONGEST_LINE = 256

function interpreterOf(file: string): readonly string[] | undefined {
  const line = firstLine(file)
  if (!line.startsWith('#!')) return undefined
  const [, program, argument] = /^#![ \t]*(\S+)[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
  if (program === undefined) return undefined
  return argument ? [program, argument] : [program]
}

function firstLine(file: string): string {
  const fd = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(LONGEST_LINE)
    return bytes.toString('latin1', 0, readSync(fd, bytes)).split('\n', 1)[0] ?? ''
  } finally {
    closeSync(fd)
  }
}
