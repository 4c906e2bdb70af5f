import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../../machine/state/directory.ts'

/** Where git, and ripgrep after it, look for what a user ignores everywhere. */
export interface UserPlaces {
  readonly home: string
  /** Holds `git/config` and `git/ignore`. */
  readonly config: string
}

/** By the environment, and else as the system knows the user; a path that is not absolute is none. */
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
