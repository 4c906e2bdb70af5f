import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Reports whether a process that keeps this workspace warm has left a socket in its state directory. */
export function hasResidentSocket(state: string): boolean {
  try {
    return readdirSync(join(state, 'resident')).some(name => name.endsWith('.sock'))
  } catch {
    return false
  }
}
