import { closeSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory } from '../machine/state/private-file.ts'
import { holdDirectory } from '../machine/workspace/sys.ts'
import { nameOfBuild, type Build } from './own-build.ts'

/** Location of the process of one workspace and one build: in the workspace's state, which only the user can enter. */
export interface Place {
  readonly directory: string
  /** The name of its socket there; each build has its own. */
  readonly socket: string
  /** Held by the process for its whole life. */
  readonly lock: string
  /** Held by the program that starts it. */
  readonly startLock: string
  /** Its error output. */
  readonly log: string
}

export function placeOf(statePath: string, build: Build): Place {
  const directory = join(statePath, 'resident')
  const name = nameOfBuild(build)
  return {
    directory,
    socket: `${name}.sock`,
    lock: join(directory, `${name}.lock`),
    startLock: join(directory, `${name}.start`),
    log: join(directory, `${name}.log`),
  }
}

/**
 * Returns true if this user created a file at the socket's path. Node does not identify the other end of a socket: the
 * modes 0700 and 0600 ensure that no other user can create one here or open this one.
 */
export function isThere({ directory, socket }: Place): boolean {
  const stats = lstatSync(join(directory, socket), { throwIfNoEntry: false })
  return stats !== undefined && stats.isSocket() && (process.getuid === undefined || stats.uid === process.getuid())
}

/** Returns sockets of other builds at the same place. */
export const otherSockets = ({ directory, socket }: Place): string[] =>
  readdirSync(directory).filter(name => name.endsWith('.sock') && name !== socket)

export const makePlace = ({ directory }: Place): void => makePrivateDirectory(directory)

/**
 * The address of a socket in a held directory. The kernel takes 107 bytes, and a state directory may lie deeper. A path
 * through the descriptor is always short, and never leads to another directory.
 */
interface Address {
  readonly path: string
  release(): void
}

export function addressOf(directory: string, socket: string): Address {
  const fd = holdDirectory(directory)
  return { path: `/proc/self/fd/${fd}/${socket}`, release: () => closeSync(fd) }
}
