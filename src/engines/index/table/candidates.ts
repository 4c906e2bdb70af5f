const PLAIN = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.js',
  '.jsx',
  '.mts',
  '.cts',
  '.mjs',
  '.cjs',
  '.vue',
  '.d.mts',
  '.d.cts',
] as const

/** What an ending that is written may stand for: TypeScript names the file that it will become. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  '.jsx': ['.tsx', '.d.ts', '.jsx'],
  '.mjs': ['.mts', '.d.mts', '.mjs'],
  '.cjs': ['.cts', '.d.cts', '.cjs'],
}

/** The files that a relative specifier may mean, in the order in which they are looked for; none where it names a package. */
export function candidates(from: string, specifier: string): readonly string[] {
  if (!/^\.\.?(\/|$)/.test(specifier)) return []
  const path = joined(from, specifier)
  if (path === undefined) return []
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0]
  const rewritten =
    ending === undefined ? [] : (WRITTEN[ending] ?? []).map(each => path.slice(0, -ending.length) + each)
  const folder = path === '' ? '' : `${path}/`
  const named = path === '' || specifier.endsWith('/') ? [] : [...rewritten, path, ...PLAIN.map(each => path + each)]
  return [...new Set([...named, ...PLAIN.map(each => `${folder}index${each}`)])]
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
