import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../../machine/state/directory.ts'

/** Locations of a user's global ignore rules, for git and ripgrep. */
export interface UserPlaces {
  readonly home: string
  /** Holds `git/config` and `git/ignore`. */
  readonly config: string
}

/** Uses the environment, or else the system's entry for the user. Ignores relative paths. */
export function userPlaces(env: Environment = process.env): UserPlaces {
  const home = absolute(env['HOME']) ?? systemHome()
  return { home, config: absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config') }
}

const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined

function systemHome(): string {
  try {
    return userInfo().homedir
  } catch {
    return '/'
  }
}
