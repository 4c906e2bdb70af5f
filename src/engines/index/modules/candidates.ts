import { joined } from './joined.ts'

const TYPED = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.d.mts', '.d.cts']
const PLAIN = ['.js', '.jsx', '.mjs', '.cjs', '.vue']

/** What an ending that is written may stand for: TypeScript names the file that it will become. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

/** The files that a relative specifier may mean, in the order in which they are looked for; none where it names a package. */
export function candidates(from: string, specifier: string): readonly string[] {
  const key = `${from}\0${specifier}`
  const before = known.get(key)
  if (before) return before
  if (known.size >= MOST_KNOWN) known.clear()
  const found = lookedFor(from, specifier)
  known.set(key, found)
  return found
}

/** A file is asked for what it passes on whenever something near it changes. */
const known = new Map<string, readonly string[]>()
const MOST_KNOWN = 5000

export const isRelative = (specifier: string): boolean => /^\.\.?(\/|$)/.test(specifier)

/** A script means scripts first: beside it may lie a file of types that says more than there is. */
export const isScript = (path: string): boolean => /\.[cm]?jsx?$/i.test(path)

function lookedFor(from: string, specifier: string): readonly string[] {
  if (!isRelative(specifier)) return []
  const path = joined(from.slice(0, from.lastIndexOf('/') + 1), specifier)
  if (path === undefined) return []
  return specifier.endsWith('/') ? inFolder(path, isScript(from)) : meantFiles(path, isScript(from))
}

/** The files that a path may mean whose ending may be left out. */
export const meantFiles = (path: string, forScript: boolean): readonly string[] => [
  ...new Set([...(path === '' ? [] : writtenFiles(path, forScript)), ...unwrittenFiles(path, forScript)]),
]

/** The files that a path with its ending may mean. */
export function writtenFiles(path: string, forScript: boolean): readonly string[] {
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0]
  const typed = ending === undefined ? [] : (WRITTEN[ending] ?? []).map(each => path.slice(0, -ending.length) + each)
  return forScript ? [path, ...typed] : [...typed, path]
}

/** The files that a path without its ending may mean. */
export const unwrittenFiles = (path: string, forScript: boolean): readonly string[] => [
  ...(path === '' ? [] : endings(forScript).map(each => path + each)),
  ...inFolder(path, forScript),
]

const inFolder = (path: string, forScript: boolean): readonly string[] =>
  endings(forScript).map(each => `${path === '' ? '' : `${path}/`}index${each}`)

const endings = (forScript: boolean): readonly string[] => (forScript ? [...PLAIN, ...TYPED] : [...TYPED, ...PLAIN])
