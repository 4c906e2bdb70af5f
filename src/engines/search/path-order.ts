/** Paths in the order in which a walk through sorted directories meets them. */
export function comparePaths(one: string, other: string): number {
  const [names, others] = [one.split('/'), other.split('/')]
  const at = names.findIndex((name, place) => name !== others[place])
  if (at < 0) return names.length - others.length
  const theirs = others[at]
  return theirs === undefined || (names[at] ?? '') > theirs ? 1 : -1
}
