import { userInfo } from 'node:os'

/** Returns who runs this process. Known from the system: an environment variable could name anyone. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'the user'
  }
}
