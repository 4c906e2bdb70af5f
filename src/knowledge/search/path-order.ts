const SLASH = 47

/** Compares paths in the order of a walk through sorted directories. */
export function comparePaths(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  for (let at = 0; at < shorter; at++) {
    const [mine, theirs] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (mine !== theirs) return (mine === SLASH ? -1 : mine) - (theirs === SLASH ? -1 : theirs)
  }
  return one.length - other.length
}
