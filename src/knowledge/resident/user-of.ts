import { userPlaces } from '../tree/ignore/user-places.ts'
import type { Environment } from '../../machine/state/directory.ts'

/** Whose ignore files count: what two programs of the same user may see differently, by their environment. */
export function userOf(env: Environment): string {
  const { home, config } = userPlaces(env)
  return JSON.stringify([home, config])
}
