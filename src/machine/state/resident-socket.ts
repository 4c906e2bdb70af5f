import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Reports whether a resident process has left a socket in this workspace's state directory. */
export function hasResidentSocket(state: string): boolean {
  try {
    return readdirSync(join(state, 'resident')).some(name => name.endsWith('.sock'))
  } catch {
    return false
  }
}
