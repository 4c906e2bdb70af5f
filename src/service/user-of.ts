import { userPlaces } from '../knowledge/tree/ignore/user-places.ts'
import type { Environment } from '../machine/state/directory.ts'

/** Identifies the ignore files in use: programs of one user may see different ones, by their environment. */
export function userOf(env: Environment): string {
  const { home, config } = userPlaces(env)
  return JSON.stringify([home, config])
}
