import type { Place } from './commit-store.ts'
import { keptEntryName } from './entry-name.ts'
import { abandon, discard } from './finish.ts'
import { releaseLocks } from './git-locks.ts'
import type { Step } from './intent.ts'
import { rollBack } from './roll-back.ts'
import type { Site } from './site.ts'

/**
 * Ends a commit as if it had never been. Returns, as `path: where`, the contents that could not return to their name
 * because another program's work is there now.
 */
export function revertCommit(site: Site, place: Place, name: string, steps: readonly Step[]): string[] {
  abandon(site)
  const keptContents = rollBack(site, steps)
  site.sync()
  releaseLocks(site, steps)
  discard(site, place, name, new Set(keptContents.values()))
  return [...keptContents].map(([path, file]) => `${path}: ${place.path}/undo/${keptEntryName(name)}/${file}`)
}
