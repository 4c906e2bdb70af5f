/** Reports whether a relative path stays in its start directory, links aside. */
export function staysInside(path: string): boolean {
  if (path.startsWith('/') || path.startsWith('~') || path.includes('\0')) return false
  let depth = 0
  for (const name of path.split('/')) {
    if (name === '..') depth--
    else if (name !== '' && name !== '.') depth++
    if (depth < 0) return false
  }
  return true
}
