import { closeSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory } from '../../machine/state/private-file.ts'
import { holdDirectory } from '../../machine/workspace/sys.ts'
import { nameOfBuild, type Build } from './own-build.ts'

/** Where the process of one workspace and one build is met: in the workspace's state, which only the user can enter. */
export interface Place {
  readonly directory: string
  /** The name of the socket in there; another build has another. */
  readonly socket: string
  /** Held by the process for its whole life. */
  readonly lock: string
  /** Held by whoever starts it. */
  readonly startLock: string
  /** What it says when it fails. */
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
 * True if something lies at the socket's name that this user made. Node does not tell who is at the other end of a
 * socket: that nobody else can make one here, or open this one, is by the modes 0700 and 0600.
 */
export function isThere({ directory, socket }: Place): boolean {
  const found = lstatSync(join(directory, socket), { throwIfNoEntry: false })
  return found !== undefined && found.isSocket() && (process.getuid === undefined || found.uid === process.getuid())
}

/** Sockets of other builds in the same place. */
export const otherSockets = ({ directory, socket }: Place): string[] =>
  readdirSync(directory).filter(name => name.endsWith('.sock') && name !== socket)

export const makePlace = ({ directory }: Place): void => makePrivateDirectory(directory)

/**
 * The address of a socket in a held directory. The kernel takes 107 bytes, and a state directory may lie deeper: by
 * way of the descriptor it is always short, and never another directory.
 */
interface Address {
  readonly path: string
  release(): void
}

export function addressOf(directory: string, socket: string): Address {
  const fd = holdDirectory(directory)
  return { path: `/proc/self/fd/${fd}/${socket}`, release: () => closeSync(fd) }
}
