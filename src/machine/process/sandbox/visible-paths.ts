import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { mayReach } from './bridges.ts'
import { findHomes, type Homes } from './homes.ts'
import type { Situation } from './situation.ts'

interface VisibleOptions {
  /** Our own PATH, not the command's: a call must not choose what it sees. */
  readonly path: string
  readonly home: string
  readonly root: string
  readonly situation: Situation
  /** Further places from the user's configuration. */
  readonly more: readonly string[]
}

/** Complete installations that hold no secrets by their own rules. */
const KEEPERS = new Set(['.pyenv', '.rbenv', '.nodenv', '.goenv', '.asdf', '.nvm', '.volta', '.sdkman', '.linuxbrew'])
/** Further directories that a program directory needs, by its place in the home directory. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  '.cargo/bin': ['.rustup'],
  '.local/bin': ['.local/lib', '.local/share/pipx', '.local/share/uv', '.local/share/mise', '.local/share/fnm'],
}

/** Parts of an installation. If only these lie beside a `bin`, showing them reveals no personal files. */
const INSTALLED =
  /^(bin|sbin|lib(32|64|x32|exec)?|share|include|etc|man|docs?|pkg|src|api|misc|test|conf|jmods|legal|release|version|license|readme|changelog|notice|patents|authors|copying|contributing|security|go\.env|codereview\.cfg)([-._].*)?$/i

/**
 * Returns the directories outside /usr with tools that a project needs, to show read-only at their own paths. A program
 * directory of PATH includes its installation (`X/bin` includes X), unless people store other things in X. In any home
 * directory, shows only that entry and known tool directories.
 */
export function visiblePaths(options: VisibleOptions): readonly string[] {
  const { path, situation, more } = options
  const homes = findHomes(options.home)
  const entries = path.split(delimiter).filter(entry => entry.startsWith('/'))
  const candidates = [
    ...entries.flatMap(entry => shownWith(entry, options, homes)),
    // Directories that tools link to, per program: PATH may name a link into an installation.
    ...['node', 'python3', 'git', 'go', 'java'].flatMap(name => installationOf(name, options, homes)),
    ...more,
  ]
  const real = candidates.flatMap(place => realDirectory(place)).filter(place => isOutside(place, options, homes))
  const reachable = real.filter(place => situation.name !== 'root-on-user' || mayReach(join(place, '.'), situation))
  return outermost(reachable)
}

/** Variables through which tools find their files in the home directory, if those are shown. */
export function toolVariables(home: string, visible: readonly string[]): Readonly<Record<string, string>> {
  const directoryNames = { RUSTUP_HOME: '.rustup', PYENV_ROOT: '.pyenv', VOLTA_HOME: '.volta', NVM_DIR: '.nvm' }
  return Object.fromEntries(
    Object.entries(directoryNames)
      .map(([name, place]) => [name, join(home, place)] as const)
      .filter(([, place]) => visible.includes(place)),
  )
}

/** A link shows no more than its target would. */
function shownWith(entry: string, options: VisibleOptions, homes: Homes): string[] {
  const [real] = realPath(entry)
  if (real === undefined) return []
  const there = toolPlaces(real, options, homes)
  return [...there, ...toolPlaces(entry, options, homes).filter(place => isWithin(place, there))]
}

const isWithin = (place: string, places: readonly string[]): boolean =>
  realPath(place).some(real => places.some(outer => holds(outer, real)))

function toolPlaces(entry: string, { root }: VisibleOptions, homes: Homes): string[] {
  const home = homes.above(entry)
  if (home !== undefined) return homePlaces(entry.slice(home.length + 1), home)
  const prefix = dirname(entry)
  const isInstallation = /^s?bin$/.test(basename(entry)) && prefix.split('/').length > 2 && !holds(prefix, root)
  return [isInstallation && !homes.known.some(one => holds(prefix, one)) ? prefix : entry]
}

function homePlaces(inside: string, home: string): string[] {
  if (inside === '') return []
  const [first = '', ...rest] = inside.split('/')
  if (KEEPERS.has(first)) return [join(home, first)]
  const companions = COMPANIONS[inside]
  if (companions) return [inside, ...companions].map(place => join(home, place))
  // ~/tools/node-v24/bin includes ~/tools/node-v24 if that is only an installation.
  const prefix = join(home, dirname(inside))
  const deep = rest.length >= 2 && basename(inside) === 'bin' && namesIn(prefix).every(name => INSTALLED.test(name))
  return [deep ? prefix : join(home, inside)]
}

function installationOf(program: string, options: VisibleOptions, homes: Homes): string[] {
  for (const folder of options.path.split(delimiter)) {
    const file = join(folder, program)
    if (!folder.startsWith('/') || !isExecutable(file)) continue
    const real = realpathSync(file)
    return basename(dirname(real)) === 'bin' ? toolPlaces(dirname(real), options, homes) : []
  }
  return []
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

const realDirectory = (place: string): string[] =>
  realPath(place).flatMap(real => (statSync(real).isDirectory() ? [...new Set([place, real])] : []))

const realPath = (place: string): string[] => {
  try {
    return [realpathSync(place)]
  } catch {
    return []
  }
}

const namesIn = (place: string): string[] => {
  try {
    return readdirSync(place)
  } catch {
    return []
  }
}

const SHOWN_ANYWAY = ['/usr', '/bin', '/sbin', '/lib', '/lib64']
const NEVER = new Set(['/proc', '/sys', '/dev', '/run', '/etc', '/boot', '/var', '/tmp'])

function isOutside(place: string, { root }: VisibleOptions, homes: Homes): boolean {
  if (place === '/' || NEVER.has(place) || SHOWN_ANYWAY.some(shown => holds(shown, place))) return false
  if (['/proc', '/sys', '/dev'].some(system => holds(system, place))) return false
  return !holds(root, place) && !holds(place, root) && !homes.known.some(home => holds(place, home))
}

/** Reports whether the second path is the first or below it. */
const holds = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

const outermost = (places: readonly string[]): string[] =>
  [...new Set(places)].toSorted().filter((place, at, all) => !all.slice(0, at).some(other => holds(other, place)))
