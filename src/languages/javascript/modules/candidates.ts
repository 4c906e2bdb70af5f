import { folderOf, joinPath } from './folder-paths.ts'

const TYPED = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.d.mts', '.d.cts']
const PLAIN = ['.js', '.jsx', '.mjs', '.cjs', '.vue']

/** Source extensions behind a written extension: TypeScript imports name the output file. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

export const isRelative = (specifier: string): boolean => /^\.\.?(\/|$)/.test(specifier)

/** A script prefers scripts: a declaration file beside it may declare more than exists. */
export const isScript = (path: string): boolean => /\.[cm]?jsx?$/i.test(path)

/** Yields the files that a relative specifier may mean, in lookup order. Usually it is one of the first. */
export function* candidates(from: string, specifier: string): Generator<string> {
  const path = joinPath(folderOf(from), specifier)
  if (path === undefined) return
  if (specifier.endsWith('/')) yield* inFolder(path, isScript(from))
  else yield* meantFiles(path, isScript(from))
}

/** Yields the files that a path with an optional extension may mean. */
export function* meantFiles(path: string, forScript: boolean): Generator<string> {
  if (path !== '') yield* writtenFiles(path, forScript)
  yield* unwrittenFiles(path, forScript)
}

/** Returns the files that a path with its extension may mean. */
export function writtenFiles(path: string, forScript: boolean): readonly string[] {
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0]
  const sourcePaths =
    ending === undefined ? [] : (WRITTEN[ending] ?? []).map(each => path.slice(0, -ending.length) + each)
  return forScript ? [path, ...sourcePaths] : [...sourcePaths, path]
}

/** Yields the files that a path without its extension may mean. */
export function* unwrittenFiles(path: string, forScript: boolean): Generator<string> {
  if (path !== '') for (const each of endings(forScript)) yield path + each
  yield* inFolder(path, forScript)
}

function* inFolder(path: string, forScript: boolean): Generator<string> {
  const folder = path === '' ? '' : `${path}/`
  for (const each of endings(forScript)) yield `${folder}index${each}`
}

const FOR_SCRIPTS = [...PLAIN, ...TYPED]
const FOR_TYPES = [...TYPED, ...PLAIN]
const endings = (forScript: boolean): readonly string[] => (forScript ? FOR_SCRIPTS : FOR_TYPES)
