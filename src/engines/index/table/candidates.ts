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

function lookedFor(from: string, specifier: string): readonly string[] {
  if (!/^\.\.?(\/|$)/.test(specifier)) return []
  const path = joined(from, specifier)
  if (path === undefined) return []
  // A script means scripts first: beside it may lie a file of types that says more than there is.
  const isScript = /\.[cm]?jsx?$/i.test(from)
  const endings = isScript ? [...PLAIN, ...TYPED] : [...TYPED, ...PLAIN]
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0]
  const typed = ending === undefined ? [] : (WRITTEN[ending] ?? []).map(each => path.slice(0, -ending.length) + each)
  const written = isScript ? [path, ...typed] : [...typed, path]
  const named = path === '' || specifier.endsWith('/') ? [] : [...written, ...endings.map(each => path + each)]
  const folder = path === '' ? '' : `${path}/`
  return [...new Set([...named, ...endings.map(each => `${folder}index${each}`)])]
}

/** Undefined where it leads out of the workspace. */
function joined(from: string, specifier: string): string | undefined {
  const names = from.split('/').slice(0, -1)
  for (const name of specifier.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) return undefined
  }
  return names.join('/')
}
