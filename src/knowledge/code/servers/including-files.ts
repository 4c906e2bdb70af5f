const INCLUDE = /^[ \t]*#[ \t]*(?:include|import)[ \t]*["<]([^">]+)[">]/gm

/** Finds files that include one of these directly or indirectly. Headers of the same name are not told apart. */
type IncludingFiles = (changed: Iterable<string>, files: Iterable<string>) => ReadonlySet<string>

/** `stampOf` tells when to reread a file. */
export function includingFiles(
  read: (path: string) => string | undefined,
  stampOf: (path: string) => string | undefined,
): IncludingFiles {
  const includeCache = new Map<string, { readonly stamp: string | undefined; readonly names: readonly string[] }>()
  return (changed, files) => {
    const by = Map.groupBy(
      [...files].flatMap(path => namesIn(path).map(name => ({ name, path }))),
      ({ name }) => name,
    )
    const includers = new Set<string>()
    const open = [...changed]
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const { path } of by.get(lastName(next)) ?? [])
        if (!includers.has(path)) {
          includers.add(path)
          open.push(path)
        }
    return includers
  }

  function namesIn(path: string): readonly string[] {
    const stamp = stampOf(path)
    const before = includeCache.get(path)
    if (before && stamp !== undefined && before.stamp === stamp) return before.names
    const names = Array.from((read(path) ?? '').matchAll(INCLUDE), ([, module = '']) => lastName(module))
    includeCache.set(path, { stamp, names })
    return names
  }
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
