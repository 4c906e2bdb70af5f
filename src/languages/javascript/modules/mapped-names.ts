/** A name, or a pattern with one `*`, and its targets; none if the name is private. */
export interface Mapped {
  readonly pattern: string
  readonly targets: readonly string[]
}

/**
 * Returns the targets of a name, by its own entry or the most specific pattern. Returns undefined if no entry matches.
 */
export function targetsOf(maps: readonly Mapped[], name: string): readonly string[] | undefined {
  const exact = maps.find(({ pattern }) => pattern === name)
  if (exact) return exact.targets
  let best: { readonly before: string; readonly rest: string; readonly targets: readonly string[] } | undefined
  for (const { pattern, targets } of maps) {
    const [before = '', after] = pattern.split('*')
    if (after === undefined || name.length < before.length + after.length) continue
    if (!name.startsWith(before) || !name.endsWith(after) || (best && best.before.length >= before.length)) continue
    best = { before, rest: name.slice(before.length, name.length - after.length), targets }
  }
  const { rest = '' } = best ?? {}
  return best?.targets.map(target => target.replaceAll('*', () => rest))
}
