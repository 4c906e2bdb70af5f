import type { Affected } from './affected-files.ts'
import type { World } from './world.ts'

/**
 * Why a change is not judged where a file has a changed one from a package of the workspace as that was built last: a server
 * says of it what was so before the change.
 */
export function unbuiltImport(worlds: readonly World[], affected: readonly Affected[]): string | undefined {
  const changed = new Set(affected.map(({ path }) => path))
  for (const { path } of affected)
    for (const { files } of worlds) {
      const built = files.get(path)?.built?.find(each => changed.has(each.path))
      if (built)
        return `${path} has '${built.request}' as it was built last: what changes for it is known when it is built anew`
    }
  return undefined
}
