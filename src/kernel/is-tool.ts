/**
 * Reports whether a tool's id matches a name: exactly (`sage/Read`), by its contract (`sage/*`), by its plain name in
 * every contract (`Read`), or any tool (`*`).
 */
export function isTool(named: string | undefined, id: string): boolean {
  if (named === undefined || named === '*' || named === id) return true
  if (named.endsWith('/*')) return id.startsWith(named.slice(0, -1))
  return named !== '' && !named.includes('/') && id.slice(id.indexOf('/') + 1) === named
}
