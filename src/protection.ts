import { keptPlaces } from './engines/workspace/kept-places.ts'
import { protectedRoot, type Protection } from './guards/policy/builtin.ts'

/** What is protected in a workspace besides what is everywhere: where it lies, and what in it has a name of its own. */
export function protectionOf(root: string, config: string | undefined): Protection {
  const inside = protectedRoot(root)
  const kept = keptPlaces(root, config)
  return {
    platform: process.platform,
    ...(inside !== undefined && { root: inside }),
    ...(kept.length > 0 && { kept }),
  }
}
