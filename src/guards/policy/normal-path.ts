/** Returns the directory of a claim on everything below it; undefined for a claim on one path. */
export function subtreeOf(path: string): string | undefined {
  if (path === '**') return ''
  return path.endsWith('/**') ? path.slice(0, -3) : undefined
}

/** Returns the path without `.`, `..` and doubled slashes; undefined if it is absolute or leads out. */
export function normalPath(path: string): string | undefined {
  if (!UNTIDY.test(path)) return path
  if (path.startsWith('/')) return undefined
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..' && names.pop() === undefined) return undefined
    if (name !== '' && name !== '.' && name !== '..') names.push(name)
  }
  return names.join('/')
}

/** A path with `.`, `..`, doubled slashes or one at its beginning or end. */
export const UNTIDY = /(^|\/)(\.{0,2})(\/|$)/
