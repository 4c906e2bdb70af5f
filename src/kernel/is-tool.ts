/**
 * Reports whether a tool's id matches a name: exactly (`sage/Read`), by its contract (`sage/*`), by its plain name in
 * every contract (`Read`), or any tool (`*`).
 */
export function isTool(pattern: string | undefined, id: string): boolean {
  if (pattern === undefined || pattern === '*' || pattern === id) return true
  if (pattern.endsWith('/*')) return id.startsWith(pattern.slice(0, -1))
  return pattern !== '' && !pattern.includes('/') && id.slice(id.indexOf('/') + 1) === pattern
}
